package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes safetensors files from a header text and data, right or wrong. */
final class ModelFiles {
    /** A valid header: every rank up to 2, a zero-size, a scalar and a sub-byte tensor, metadata, padding. */
    static final String HEADER = """
            {"__metadata__":{"format":"pt"},\
            "a.weight":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},\
            "b.weight":{"dtype":"BF16","shape":[4],"data_offsets":[24,32]},\
            "c.empty":{"dtype":"U8","shape":[0,5],"data_offsets":[32,32]},\
            "d.scalar":{"dtype":"F32","shape":[],"data_offsets":[32,36]},\
            "e.nibbles":{"dtype":"F4","shape":[6],"data_offsets":[36,39]}}  \
            """;

    private static final int DATA_BYTES = 39;

    private ModelFiles() {}

    /** The data that {@link #HEADER} describes: byte i is i + 1. */
    static byte[] data() {
        byte[] data = new byte[DATA_BYTES];
        for (int i = 0; i < data.length; i++) {
            data[i] = (byte) (i + 1);
        }
        return data;
    }

    /** {@link #HEADER} with one piece, which must be there once, replaced. */
    static String swap(String from, String to) {
        assertThat(HEADER).as("pieces " + from).hasSize(HEADER.replace(from, "").length() + from.length());
        return HEADER.replace(from, to);
    }

    /** The file of {@code header}, in UTF-8, and {@code data}. */
    static byte[] bytes(String header, byte[] data) {
        return bytes(header.getBytes(StandardCharsets.UTF_8), data);
    }

    static byte[] bytes(byte[] header, byte[] data) {
        return bytes(header.length, header, data);
    }

    /** A file that claims {@code length} for its header. */
    static byte[] bytes(long length, byte[] header, byte[] data) {
        return ByteBuffer.allocate(Long.BYTES + header.length + data.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(length)
                .put(header)
                .put(data)
                .array();
    }

    /** Writes a file that is all {@code start}, then zeros up to {@code length}; the zeros take no space on disk. */
    static void writeSparse(Path file, byte[] start, long length) throws IOException {
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
            out.write(start);
            out.setLength(length);
        }
    }

    /** Writes a valid file of {@code count} tensors without elements. */
    static void writeEmptyTensors(Path file, int count) throws IOException {
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
            out.seek(Long.BYTES);
            var text = new StringBuilder("{");
            for (int i = 0; i < count; i++) {
                text.append(i == 0 ? "" : ",").append("\"t").append(i);
                text.append("\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}");
                if (text.length() > 1 << 16) {
                    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
                    text.setLength(0);
                }
            }
            out.write(text.append('}').toString().getBytes(StandardCharsets.UTF_8));
            long length = out.length() - Long.BYTES;
            out.seek(0);
            out.writeLong(Long.reverseBytes(length));
        }
    }

    /** Writes a header of {@code open}, {@code length} times {@code fill}, and {@code close}; no data. */
    static void writePadded(Path file, String open, int length, char fill, String close) throws IOException {
        byte[] block = String.valueOf(fill).repeat(1 << 16).getBytes(StandardCharsets.US_ASCII);
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] head = open.getBytes(StandardCharsets.US_ASCII);
            byte[] tail = close.getBytes(StandardCharsets.US_ASCII);
            out.write(bytes((long) head.length + length + tail.length, head, new byte[0]));
            for (int left = length; left > 0; left -= block.length) {
                out.write(block, 0, Math.min(left, block.length));
            }
            out.write(tail);
        }
    }
}
