package org.hotrow.kernels;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tensors of a trusted safetensors file among the test resources: header length, JSON header, data. */
public record Goldens(String header, ByteBuffer data) {
    public static Goldens load(String name) {
        String path = "/goldens/" + name + ".safetensors";
        try (InputStream in = Objects.requireNonNull(Goldens.class.getResourceAsStream(path), path)) {
            ByteBuffer file = ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN);
            int headerLength = Math.toIntExact(file.getLong());
            byte[] header = new byte[headerLength];
            file.get(header);
            return new Goldens(new String(header, StandardCharsets.UTF_8), file.slice());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public float[] floats(String tensor) {
        float[] values = new float[slice(tensor, "F32").remaining() / Float.BYTES];
        slice(tensor, "F32").asFloatBuffer().get(values);
        return values;
    }

    public long[] longs(String tensor) {
        long[] values = new long[slice(tensor, "I64").remaining() / Long.BYTES];
        slice(tensor, "I64").asLongBuffer().get(values);
        return values;
    }

    public byte[] bytes(String tensor) {
        byte[] values = new byte[slice(tensor, "U8").remaining()];
        slice(tensor, "U8").get(values);
        return values;
    }

    private ByteBuffer slice(String tensor, String dtype) {
        Matcher entry = Pattern.compile("\"" + tensor + "\":\\{\"dtype\":\"" + dtype
                        + "\",\"shape\":\\[[\\d,]*],\"data_offsets\":\\[(\\d+),(\\d+)]")
                .matcher(header);
        if (!entry.find()) {
            throw new IllegalArgumentException("no " + dtype + " tensor " + tensor);
        }
        int from = Integer.parseInt(entry.group(1));
        int to = Integer.parseInt(entry.group(2));
        return data.slice(from, to - from).order(ByteOrder.LITTLE_ENDIAN);
    }
}
