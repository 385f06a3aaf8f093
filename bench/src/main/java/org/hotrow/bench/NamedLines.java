package org.hotrow.bench;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Texts by benchmark; a line each, {@code NAME = TEXT}, or of some parameters alone,
 * {@code NAME (PARAMETER VALUE, PARAMETER VALUE) = TEXT}. Of several that fit the one with most parameters counts.
 *
 * @param texts by what stands before them
 */
record NamedLines(Map<String, String> texts) {
    private static final String BETWEEN = " = ";

    NamedLines {
        texts = Map.copyOf(texts);
    }

    /** What each benchmark measures. */
    static NamedLines meanings() {
        return read("benchmarks.txt");
    }

    /** Why benchmarks stay below half of their bound. */
    static NamedLines reasons() {
        return read("below-half.txt");
    }

    private static NamedLines read(String resource) {
        try (InputStream in = NamedLines.class.getResourceAsStream(resource)) {
            String text = new String(Objects.requireNonNull(in, resource).readAllBytes(), StandardCharsets.UTF_8);
            Map<String, String> texts = new LinkedHashMap<>();
            text.lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .forEach(line -> {
                        int at = line.indexOf(BETWEEN);
                        if (at < 0) {
                            throw new IllegalStateException(resource + ": expected NAME = TEXT, got: " + line);
                        }
                        texts.put(line.substring(0, at), line.substring(at + BETWEEN.length()));
                    });
            return new NamedLines(texts);
        } catch (IOException e) {
            throw new UncheckedIOException(resource + ": " + e.getMessage(), e);
        }
    }

    Optional<String> of(Measured measured) {
        return texts.keySet().stream()
                .filter(key -> fits(key, measured))
                .max(Comparator.comparingInt(String::length))
                .map(texts::get);
    }

    private static boolean fits(String key, Measured measured) {
        int open = key.indexOf(" (");
        if (open < 0) {
            return key.equals(measured.name());
        }
        List<String> parameters = List.of(measured.of().split(", ", -1));
        return key.substring(0, open).equals(measured.name())
                && parameters.containsAll(
                        List.of(key.substring(open + 2, key.length() - 1).split(", ", -1)));
    }
}
