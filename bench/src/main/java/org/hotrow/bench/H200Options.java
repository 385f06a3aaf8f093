package org.hotrow.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Arguments of {@link H200}: {@code ROOT OUT [--smoke] [--only SECTION]...}.
 *
 * @param out folder of results
 * @param smoke few and short inputs, nothing timed
 * @param only the sections to run; all if there are none
 */
record H200Options(Path root, Path out, boolean smoke, List<String> only) {
    /** What the commands wrote. */
    Path log() {
        return out.resolve("h200.log");
    }

    /** @throws IllegalArgumentException naming the argument and what was expected */
    static H200Options parse(List<String> sections, String... args) {
        List<String> folders = new ArrayList<>();
        boolean smoke = false;
        List<String> only = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--smoke" -> smoke = true;
                case "--only" -> {
                    i++;
                    if (i == args.length || !sections.contains(args[i])) {
                        throw new IllegalArgumentException("--only: '" + (i == args.length ? "" : args[i])
                                + "', expected one of " + String.join(", ", sections));
                    }
                    only.add(args[i]);
                }
                default -> {
                    if (args[i].startsWith("-")) {
                        throw new IllegalArgumentException(args[i] + ": unknown argument");
                    }
                    folders.add(args[i]);
                }
            }
        }
        if (folders.size() != 2) {
            throw new IllegalArgumentException(
                    "expected the root of the project and a folder for results, got " + folders);
        }
        return new H200Options(Path.of(folders.get(0)), Path.of(folders.get(1)), smoke, List.copyOf(only));
    }
}
