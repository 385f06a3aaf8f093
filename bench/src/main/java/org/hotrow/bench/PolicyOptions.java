package org.hotrow.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Arguments of {@link MissRates} for a {@link PolicyTable}.
 *
 * @param csv a file that takes the table too
 * @param texts of {@link Recording#TEXTS}, how many are decoded
 */
record PolicyOptions(Optional<Path> csv, int texts) {
    private static final String POLICIES = "--policies";
    private static final int DEFAULT_TEXTS = 2;

    /** @throws IllegalArgumentException naming the argument and what was expected */
    static PolicyOptions parse(String... args) {
        Optional<Path> csv = Optional.empty();
        int texts = DEFAULT_TEXTS;
        boolean policies = false;
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case POLICIES -> policies = true;
                case "--csv" -> csv = Optional.of(csv(value(args, ++i)));
                case "--texts" -> texts = texts(value(args, ++i));
                default -> throw new IllegalArgumentException(args[i] + ": unknown argument");
            }
        }
        if (!policies) {
            throw new IllegalArgumentException(args[0] + ": only with " + POLICIES);
        }
        return new PolicyOptions(csv, texts);
    }

    private static String value(String[] args, int i) {
        if (i == args.length) {
            throw new IllegalArgumentException(args[i - 1] + ": a value is missing");
        }
        return args[i];
    }

    /** The file of a flag {@code --csv}, refused before the minutes that the table takes. */
    static Path csv(String name) {
        Path file = Path.of(name);
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || Files.isDirectory(file)) {
            throw new IllegalArgumentException("--csv: '" + name + "', expected a file in a folder that exists");
        }
        return file;
    }

    private static int texts(String text) {
        try {
            int count = Integer.parseInt(text);
            if (count >= 1 && count <= Recording.TEXTS.size()) {
                return count;
            }
        } catch (NumberFormatException e) {
            // Refused below, as a number out of range is.
        }
        throw new IllegalArgumentException("--texts: '" + text + "', expected 1 to " + Recording.TEXTS.size());
    }
}
