package org.hotrow.modelloader;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Writes a safetensors file: the header at once, then the bytes of the tensors in their order, in pieces of any size.
 *
 * <pre>
 * create -> write, write, ... -> finish      the file is there, whole
 *     \----------\------------> close        nothing has changed
 * </pre>
 *
 * Until it is finished the bytes are in a file beside it, so a file that was there before is lost at no time.
 */
public final class SafetensorsWriter implements AutoCloseable {
    /** A tensor to be written. */
    public record Tensor(String name, DType dtype, List<Long> shape) {
        public Tensor {
            shape = List.copyOf(shape);
        }

        /** Bytes of its elements. */
        public long bytes() {
            long bits = dtype.bits();
            for (long dimension : shape) {
                bits = Math.multiplyExact(bits, dimension);
            }
            return bits / Byte.SIZE;
        }
    }

    private final Path file;
    private final Path unfinished;
    private final FileChannel channel;
    private final long length;
    private boolean finished;

    private SafetensorsWriter(Path file, Path unfinished, FileChannel channel, long length) {
        this.file = file;
        this.unfinished = unfinished;
        this.channel = channel;
        this.length = length;
    }

    /**
     * Begins a file.
     *
     * @param metadata free text for the header
     * @param tensors in the order of their bytes; names differ, elements are whole bytes
     * @throws IOException if no file can be made beside {@code file}
     */
    public static SafetensorsWriter create(Path file, Map<String, String> metadata, List<Tensor> tensors)
            throws IOException {
        byte[] header = header(metadata, tensors);
        long length = header.length;
        for (Tensor tensor : tensors) {
            length = Math.addExact(length, tensor.bytes());
        }
        String suffix = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
        Path unfinished = file.resolveSibling(file.getFileName() + "." + suffix + ".part");
        FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        SafetensorsWriter writer = new SafetensorsWriter(file, unfinished, channel, length);
        try {
            writer.write(MemorySegment.ofArray(header));
            return writer;
        } catch (IOException | RuntimeException | Error e) {
            writer.close();
            throw e;
        }
    }

    /** The length, and the JSON with spaces behind it up to a multiple of 8. */
    private static byte[] header(Map<String, String> metadata, List<Tensor> tensors) {
        var json = new ByteArrayOutputStream();
        try (JsonGenerator generator = new JsonFactory().createGenerator(ObjectWriteContext.empty(), json)) {
            generator.writeStartObject();
            if (!metadata.isEmpty()) {
                generator.writeObjectPropertyStart("__metadata__");
                metadata.forEach(generator::writeStringProperty);
                generator.writeEndObject();
            }
            long begin = 0;
            for (Tensor tensor : tensors) {
                long end = begin + tensor.bytes();
                generator.writeObjectPropertyStart(tensor.name());
                generator.writeStringProperty("dtype", tensor.dtype().name());
                generator.writeArrayPropertyStart("shape");
                tensor.shape().forEach(generator::writeNumber);
                generator.writeEndArray();
                generator.writeArrayPropertyStart("data_offsets");
                generator.writeNumber(begin);
                generator.writeNumber(end);
                generator.writeEndArray();
                generator.writeEndObject();
                begin = end;
            }
            generator.writeEndObject();
        }
        while (json.size() % Long.BYTES != 0) {
            json.write(' ');
        }
        return ByteBuffer.allocate(Long.BYTES + json.size())
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.size())
                .put(json.toByteArray())
                .array();
    }

    /**
     * Appends bytes, fewer than 2^31, of the tensor that is not complete, or of several.
     *
     * @throws IllegalArgumentException if the tensors have no room for them
     */
    public void write(MemorySegment bytes) throws IOException {
        if (channel.position() + bytes.byteSize() > length) {
            throw new IllegalArgumentException("more bytes than the " + length + " of the header and its tensors");
        }
        ByteBuffer buffer = bytes.asByteBuffer();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /**
     * All bytes are written: the file takes its name.
     *
     * @throws IllegalStateException if bytes are missing
     */
    public void finish() throws IOException {
        if (channel.position() != length) {
            throw new IllegalStateException(channel.position() + " bytes of " + length + " are written");
        }
        channel.force(true);
        channel.close();
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
        finished = true;
    }

    /** Takes back what is not finished. */
    @Override
    public void close() throws IOException {
        channel.close();
        if (!finished) {
            Files.deleteIfExists(unfinished);
        }
    }
}
