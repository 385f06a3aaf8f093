package org.hotrow.engine.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The floor in the class comment of a kernel, as a line. It is written in one of three ways:
 *
 * <pre>
 * floor    bytes read, bytes written             floor    bytes         multiply-adds    per token
 *          more of them                          rows     4 * rows      heads * rows
 *                                                ids      4 * k
 * Floor: a sentence. Other sentences.
 * </pre>
 */
final class Floor {
    private static final String COLUMNS = " {2,}";

    private Floor() {}

    /** Its line; empty if the comment says nothing of a floor. */
    static String of(List<String> comment) {
        List<String> lines = comment.stream()
                .dropWhile(line -> !line.toLowerCase(Locale.ROOT).startsWith("floor"))
                .takeWhile(line -> !line.isBlank())
                .toList();
        if (lines.isEmpty()) {
            return "";
        }
        String first = lines.getFirst();
        if (!first.matches("floor" + COLUMNS + ".*")) {
            return sentence(String.join(" ", lines.stream().map(String::strip).toList()));
        }
        return first.matches("floor" + COLUMNS + "bytes" + COLUMNS + ".*") ? table(lines) : row(lines);
    }

    private static String sentence(String text) {
        String begun = text.replaceFirst("^Floor(, bytes)?:? *", "");
        int end = begun.indexOf(". ");
        return end < 0 ? begun.replaceFirst("\\.$", "") : begun.substring(0, end);
    }

    /** The first column of numbers, row by row, up to what lies beside the floor. */
    private static String table(List<String> lines) {
        List<String> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] columns = line.split(COLUMNS, -1);
            if (columns.length < 2) {
                break;
            }
            rows.add(columns[0] + " " + columns[1]);
        }
        return "bytes per token: " + String.join(", ", rows);
    }

    /** The first line and those that go on below it. */
    private static String row(List<String> lines) {
        StringBuilder row = new StringBuilder(lines.getFirst().replaceFirst("floor +", ""));
        lines.stream()
                .skip(1)
                .takeWhile(line -> line.startsWith(" "))
                .forEach(line -> row.append(' ').append(line.strip()));
        return row.toString();
    }
}
