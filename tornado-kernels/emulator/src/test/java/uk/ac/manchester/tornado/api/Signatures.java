package uk.ac.manchester.tornado.api;

import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a compiled class can refer to, one line each. Members that a class inherits are its own here, as they are for
 * the linker; those of the JDK's classes are left out.
 *
 * <pre>
 * CLASS class|interface
 * CLASS is SUPERTYPE
 * CLASS new DESCRIPTOR
 * CLASS.NAME DESCRIPTOR [static]
 * </pre>
 */
final class Signatures {
    private static final String PREFIX = "uk.ac.manchester.tornado.api.";

    private final Set<String> lines = new TreeSet<>();

    private Signatures() {}

    /** The lines of the public classes of a folder or jar, whose names are filtered. */
    static Set<String> of(Path root, ClassLoader loader, Set<String> classes)
            throws IOException, ClassNotFoundException {
        Signatures signatures = new Signatures();
        for (String name : classes.isEmpty() ? classesIn(root) : classes) {
            Class<?> type = Class.forName(name, false, loader);
            if (isVisible(type)) {
                signatures.add(type);
            }
        }
        return signatures.lines;
    }

    /** The classes of all lines. */
    static Set<String> classesOf(Set<String> lines) {
        Set<String> names = new TreeSet<>();
        for (String line : lines) {
            if (line.endsWith(" class") || line.endsWith(" interface")) {
                names.add(PREFIX + line.substring(0, line.indexOf(' ')));
            }
        }
        return names;
    }

    private static List<String> classesIn(Path root) throws IOException {
        if (Files.isDirectory(root)) {
            return classesUnder(root);
        }
        try (FileSystem jar = FileSystems.newFileSystem(root)) {
            return classesUnder(jar.getPath("/"));
        }
    }

    private static List<String> classesUnder(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve(PREFIX.replace('.', '/')))) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(file -> file.endsWith(".class") && !file.endsWith("package-info.class"))
                    .map(file ->
                            file.substring(0, file.length() - ".class".length()).replace('/', '.'))
                    .sorted()
                    .toList();
        }
    }

    private static boolean isVisible(Class<?> type) {
        Class<?> outer = type.getDeclaringClass();
        return Modifier.isPublic(type.getModifiers())
                && !type.isAnonymousClass()
                && (outer == null || isVisible(outer));
    }

    private void add(Class<?> type) {
        String name = type.getName().substring(PREFIX.length());
        lines.add(name + (type.isInterface() ? " interface" : " class"));
        addSupertypes(name, type);
        for (Constructor<?> constructor : type.getConstructors()) {
            lines.add(name + " new " + descriptor(constructor, void.class));
        }
        for (Method method : type.getMethods()) {
            if (!method.isSynthetic() && !isOfJdk(method) && !overridesObject(method)) {
                lines.add(name + "." + method.getName() + " " + descriptor(method, method.getReturnType())
                        + suffix(method.getModifiers()));
            }
        }
        for (Field field : type.getFields()) {
            lines.add(name + "." + field.getName() + " " + field.getType().descriptorString()
                    + suffix(field.getModifiers()));
        }
    }

    private void addSupertypes(String name, @Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return;
        }
        Stream.concat(Stream.ofNullable(type.getSuperclass()), Arrays.stream(type.getInterfaces()))
                .forEach(supertype -> {
                    if (supertype != Object.class && Modifier.isPublic(supertype.getModifiers())) {
                        lines.add(name + " is " + supertype.getName());
                    }
                    addSupertypes(name, supertype);
                });
    }

    private static boolean isOfJdk(Method method) {
        return method.getDeclaringClass().getModule() == Object.class.getModule();
    }

    private static boolean overridesObject(Method method) {
        return Arrays.stream(Object.class.getMethods())
                .anyMatch(other -> other.getName().equals(method.getName())
                        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
    }

    private static String descriptor(Executable executable, Class<?> result) {
        return MethodType.methodType(result, executable.getParameterTypes()).toMethodDescriptorString();
    }

    private static String suffix(int modifiers) {
        return Modifier.isStatic(modifiers) ? " static" : "";
    }
}
