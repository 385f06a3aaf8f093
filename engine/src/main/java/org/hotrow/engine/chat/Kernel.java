package org.hotrow.engine.chat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hotrow.engine.EngineException;

/**
 * A kernel for TornadoVM as its source file tells of it. The sources are in a checkout only.
 *
 * @param name as {@code bin/meter} and {@code bin/inspect} write such names
 * @param file its source, below the checkout
 * @param description its class comment as plain text: formula, shapes, floor
 * @param methods what becomes code of the device
 * @param ptx what was compiled from it, below the checkout, if it is committed
 */
record Kernel(String name, Path file, List<String> description, List<String> methods, Optional<Path> ptx) {
    /** Where the sources are. */
    static final Path SOURCES = Path.of("tornado-kernels/kernels/src/main/java/org/hotrow/kernels/tornado");

    private static final Pattern METHOD = Pattern.compile("static void (\\w+)\\(\\s*KernelContext ");

    /** A task whose method another file has. */
    private static final Pattern ELSEWHERE = Pattern.compile("\\b([A-Z]\\w*::\\w+),\\s*Grids\\.CONTEXT\\b");

    private static final Path GENERATED = Path.of("tornado-kernels/generated");

    Kernel {
        description = List.copyOf(description);
        methods = List.copyOf(methods);
    }

    /** The kernels of a checkout by name; none if it has no sources of them. */
    static List<Kernel> all(Path checkout) {
        Path folder = checkout.resolve(SOURCES);
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        List<Kernel> kernels = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.sorted().toList()) {
                String source = Files.readString(file);
                if (source.contains("TaskGraph append")) {
                    kernels.add(of(checkout, file, source));
                }
            }
        } catch (IOException e) {
            throw new EngineException(folder + ": can't be read: " + e);
        }
        return kernels;
    }

    private static Kernel of(Path checkout, Path file, String source) throws IOException {
        String type = file.getFileName().toString().replace(".java", "");
        String name = type.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
        return new Kernel(
                name,
                SOURCES.resolve(file.getFileName()),
                comment(source, type),
                methods(source, type),
                ptx(checkout.resolve(GENERATED), name).map(found -> GENERATED.resolve(found.getFileName())));
    }

    private static List<String> methods(String source, String type) {
        Stream<String> own = METHOD.matcher(source).results().map(found -> found.group(1));
        Stream<String> others = ELSEWHERE
                .matcher(source)
                .results()
                .map(found -> found.group(1))
                .filter(method -> !method.startsWith(type + "::"))
                .distinct();
        return Stream.concat(own, others).toList();
    }

    /** The file of a kernel: its name, or the end of it, since RadixTopK's operation is called top-k. */
    private static Optional<Path> ptx(Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> {
                        String stem = file.getFileName().toString().replace(".ptx", "");
                        return file.toString().endsWith(".ptx") && ("-" + name).endsWith("-" + stem);
                    })
                    .findFirst();
        }
    }

    private static List<String> comment(String source, String type) {
        int end = source.indexOf("class " + type);
        int from = source.lastIndexOf("/**", Math.max(0, end));
        int to = source.indexOf("*/", Math.max(0, from));
        if (end < 0 || from < 0 || to < 0) {
            return List.of();
        }
        List<String> lines = source.substring(from + "/**".length(), to)
                .lines()
                .map(line -> line.replaceFirst("^ *\\*? ?", ""))
                .map(line -> line.replaceAll("\\{@\\w+ #?([^}]*)}", "$1").replaceAll("</?(pre|p|i|b|code)>", ""))
                .dropWhile(String::isBlank)
                .toList();
        // Where a tag stood alone, two empty lines are next to each other.
        return IntStream.range(0, lines.size())
                .filter(i -> !lines.get(i).isBlank()
                        || (i + 1 < lines.size() && !lines.get(i + 1).isBlank()))
                .mapToObj(lines::get)
                .toList();
    }

    /** What memory must move at least, in a line; empty if the comment doesn't say. */
    String floor() {
        return Floor.of(description);
    }
}
