package org.hotrow.kernels.lint;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.classfile.instruction.InvokeInstruction;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hotrow.kernels.tornado.CudaOnly;
import org.jspecify.annotations.Nullable;

/**
 * Checks the kernels of classes, and the static methods of Hotrow that they call. A kernel is a static method without a
 * result that has a KernelContext and that no other one calls.
 */
final class KernelLint {
    private static final String CONTEXT = "Luk/ac/manchester/tornado/api/KernelContext;";
    private static final String OWN = "org/hotrow/";

    private record Method(ClassModel owner, MethodModel model) {
        String key() {
            return owner.thisClass().asInternalName() + "." + model.methodName().stringValue()
                    + model.methodType().stringValue();
        }
    }

    private final Map<String, ClassModel> classes = new HashMap<>();
    private final Map<String, Method> reached = new HashMap<>();
    private final Set<String> called = new HashSet<>();

    private KernelLint(Collection<byte[]> classFiles) {
        for (byte[] bytes : classFiles) {
            ClassModel model = ClassFile.of().parse(bytes);
            classes.put(model.thisClass().asInternalName(), model);
        }
    }

    /** What is wrong with the kernels of the classes, by method and line. */
    static List<Finding> findings(Collection<byte[]> classFiles) {
        KernelLint lint = new KernelLint(classFiles);
        lint.reach();
        return lint.reached.values().stream()
                .flatMap(method -> lint.check(method).stream())
                .sorted()
                .toList();
    }

    /** The kernels of the classes, {@code Residual.add}. */
    static List<String> kernels(Collection<byte[]> classFiles) {
        KernelLint lint = new KernelLint(classFiles);
        lint.reach();
        return lint.reached.values().stream()
                .filter(method -> !lint.called.contains(method.key()))
                .map(KernelLint::name)
                .sorted()
                .toList();
    }

    private void reach() {
        Deque<Method> todo = new ArrayDeque<>();
        for (ClassModel owner : List.copyOf(classes.values())) {
            for (MethodModel method : owner.methods()) {
                if (method.methodType().stringValue().contains(CONTEXT)
                        && method.code().isPresent()) {
                    todo.add(new Method(owner, method));
                }
            }
        }
        while (!todo.isEmpty()) {
            Method method = todo.pop();
            if (reached.put(method.key(), method) == null) {
                method.model().code().orElseThrow().forEach(element -> {
                    if (element instanceof InvokeInstruction call && isOwn(call)) {
                        Method helper = resolve(call);
                        called.add(helper.key());
                        todo.add(helper);
                    }
                });
            }
        }
    }

    private List<Finding> check(Method method) {
        return new MethodLint(
                        name(method),
                        method.model(),
                        called.contains(method.key()),
                        isCudaOnly(method),
                        KernelLint::isOwn,
                        call -> isOwn(call) && isCudaOnly(resolve(call)))
                .findings();
    }

    private static boolean isOwn(InvokeInstruction call) {
        return call.opcode() == Opcode.INVOKESTATIC
                && call.owner().asInternalName().startsWith(OWN);
    }

    private Method resolve(InvokeInstruction call) {
        ClassModel owner = classes.computeIfAbsent(call.owner().asInternalName(), KernelLint::load);
        for (MethodModel method : owner.methods()) {
            if (method.methodName().equals(call.name()) && method.methodType().equals(call.type())) {
                return new Method(owner, method);
            }
        }
        throw new IllegalArgumentException("no method " + Calls.name(call));
    }

    private static ClassModel load(String name) {
        try (InputStream file = KernelLint.class.getResourceAsStream("/" + name + ".class")) {
            if (file == null) {
                throw new IllegalArgumentException("no class " + name);
            }
            return ClassFile.of().parse(file.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isCudaOnly(Method method) {
        return isMarked(method.model()) || isMarked(method.owner());
    }

    private static boolean isMarked(AttributedElement element) {
        @Nullable
        RuntimeInvisibleAnnotationsAttribute marks =
                element.findAttribute(Attributes.runtimeInvisibleAnnotations()).orElse(null);
        return marks != null
                && marks.annotations().stream()
                        .anyMatch(mark ->
                                mark.classSymbol().descriptorString().equals(CudaOnly.class.descriptorString()));
    }

    private static String name(Method method) {
        String owner = method.owner().thisClass().asInternalName();
        return owner.substring(owner.lastIndexOf('/') + 1) + "."
                + method.model().methodName().stringValue();
    }
}
