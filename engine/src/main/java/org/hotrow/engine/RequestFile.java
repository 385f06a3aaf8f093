package org.hotrow.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hotrow.modelloader.JsonFields;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelFormatException;

/**
 * The requests of a file, one JSON object a line; blank lines count as lines, and that is all. A line that is none is
 * refused alone.
 *
 * @param requests in the order of their lines
 * @param refused results of the lines that are no requests
 */
record RequestFile(List<RequestLine> requests, List<RunResult> refused) {
    private static final Path STDIN = Path.of("-");
    private static final int MAX_BYTES = 256 << 20;
    private static final int MAX_LINE = 16 << 20;

    /** Whether a path stands for stdin. */
    static boolean isStdin(Path file) {
        return file.equals(STDIN);
    }

    RequestFile {
        requests = List.copyOf(requests);
        refused = List.copyOf(refused);
    }

    /**
     * Reads a file of at most 256 MiB, or stdin if it is {@code -}.
     *
     * @throws RequestException if it can't be read or is too large
     */
    static RequestFile read(Path file, BufferedReader stdin, ModelConfig model) {
        return parse(file, file.equals(STDIN) ? bytes(stdin) : bytes(file), model);
    }

    private static byte[] bytes(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            requireSize(file, bytes.length);
            return bytes;
        } catch (NoSuchFileException e) {
            throw new RequestException("--requests " + file + ": does not exist", e);
        } catch (IOException e) {
            throw new RequestException("--requests " + file + ": can't be read: " + e.getMessage(), e);
        }
    }

    private static byte[] bytes(BufferedReader stdin) {
        StringBuilder text = new StringBuilder();
        char[] piece = new char[1 << 13];
        try {
            for (int read = stdin.read(piece); read >= 0; read = stdin.read(piece)) {
                text.append(piece, 0, read);
                requireSize(STDIN, text.length());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void requireSize(Path file, int size) {
        if (size > MAX_BYTES) {
            throw new RequestException("--requests " + file + ": is larger than " + MAX_BYTES + " bytes");
        }
    }

    static RequestFile parse(Path file, byte[] bytes, ModelConfig model) {
        List<RequestLine> requests = new ArrayList<>();
        List<RunResult> refused = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        int number = 0;
        for (int start = 0; start < bytes.length; ) {
            number++;
            int end = start;
            while (end < bytes.length && bytes[end] != '\n') {
                end++;
            }
            if (!isBlank(bytes, start, end)) {
                parseLine(file, number, Arrays.copyOfRange(bytes, start, end), model, ids, requests, refused);
            }
            start = end + 1;
        }
        return new RequestFile(requests, refused);
    }

    private static boolean isBlank(byte[] bytes, int start, int end) {
        for (int i = start; i < end; i++) {
            if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r') {
                return false;
            }
        }
        return true;
    }

    private static void parseLine(
            Path file,
            int number,
            byte[] line,
            ModelConfig model,
            Set<String> ids,
            List<RequestLine> requests,
            List<RunResult> refused) {
        Optional<String> id = Optional.empty();
        try {
            if (line.length > MAX_LINE) {
                throw new ModelFormatException(file, "line " + number, "is longer than " + MAX_LINE + " bytes");
            }
            JsonFields fields = JsonFields.readLine(file, number, line);
            id = Optional.of(fields.text("id"));
            if (!ids.add(id.get())) {
                throw fields.refusal("id", "one that no line before has");
            }
            requests.add(RequestLine.of(number, fields, model));
        } catch (ModelFormatException e) {
            refused.add(RunResult.refused(id, Objects.requireNonNull(e.getMessage())));
        }
    }
}
