package org.hotrow.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * Reads recorded sessions, a JSON object per line, gzip if the name ends in {@code .gz}; a line at a time.
 *
 * <pre>
 * {"session": "s000", "block_tokens": 64, "turns": [
 *   {"t": seconds, "prompt_tokens": n, "output_tokens": m, "blocks": [[first, count], ...]}, ...]}
 *
 * blocks   names of the prompt's full blocks of 64 tokens, in runs; the same name is the same content
 * </pre>
 */
final class TraceFile {
    /** Longest line, in characters. */
    private static final int MAX_LINE = 4 << 20;

    private TraceFile() {}

    /**
     * All sessions, in the order of the file.
     *
     * @throws TraceException if a line isn't what it should be
     * @throws UncheckedIOException if the file can't be read
     */
    static List<Conversation> read(Path file) {
        List<Conversation> conversations = new ArrayList<>();
        lines(file, (line, text) -> conversations.add(new TraceLine(file, line, conversations.size()).read(text)));
        if (conversations.isEmpty()) {
            throw new TraceException(file, 1, "no session, expected one per line");
        }
        return conversations;
    }

    private interface Line {
        void accept(int number, String text);
    }

    private static void lines(Path file, Line each) {
        try (InputStream bytes = Files.newInputStream(file);
                InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes;
                var reader = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8))) {
            StringBuilder text = new StringBuilder();
            int number = 1;
            for (int c = reader.read(); c >= 0; c = reader.read()) {
                if (c == '\n') {
                    each.accept(number++, text.toString());
                    text.setLength(0);
                } else if (text.append((char) c).length() > MAX_LINE) {
                    throw new TraceException(file, number, "longer than " + MAX_LINE + " characters");
                }
            }
            if (!text.isEmpty()) {
                each.accept(number, text.toString());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("trace " + file + ": " + e.getMessage(), e);
        }
    }
}
