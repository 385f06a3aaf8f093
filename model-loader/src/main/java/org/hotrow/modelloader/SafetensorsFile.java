package org.hotrow.modelloader;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An open safetensors file: its tensors, mapped read-only. Opening reads the header and no byte of the data; a page of
 * data is read when it is first touched.
 */
public final class SafetensorsFile implements AutoCloseable {
    private final Path file;
    private final Arena arena;
    private final Map<String, TensorView> tensors;
    private final Map<String, String> metadata;

    private SafetensorsFile(Path file, Arena arena, Map<String, TensorView> tensors, Map<String, String> metadata) {
        this.file = file;
        this.arena = arena;
        this.tensors = tensors;
        this.metadata = metadata;
    }

    /**
     * Opens and checks a file.
     *
     * @throws ModelFormatException if the file is missing, can't be read or breaks a rule of the format
     */
    public static SafetensorsFile open(Path file) {
        // Anything else, a pipe for one, could block the open.
        if (!Files.isRegularFile(file)) {
            throw new ModelFormatException(file, "", "is missing or not a file");
        }
        @SuppressWarnings("MustBeClosedChecker") // Closed by close(), or below if the file is refused.
        Arena arena = Arena.ofShared();
        try (FileChannel channel = FileChannel.open(file)) {
            long length = channel.size();
            SafetensorsHeader header = SafetensorsHeader.read(file, channel, length);
            MemorySegment bytes = channel.map(MapMode.READ_ONLY, 0, length, arena);
            var tensors = LinkedHashMap.<String, TensorView>newLinkedHashMap(
                    header.tensors().size());
            for (TensorEntry entry : header.tensors()) {
                tensors.put(entry.name(), view(file, header.dataStart(), entry, bytes));
            }
            return new SafetensorsFile(file, arena, Collections.unmodifiableMap(tensors), header.metadata());
        } catch (IOException e) {
            arena.close();
            throw new ModelFormatException(file, "", "can't be read: " + ModelFormatException.quote(e.toString()), e);
        } catch (RuntimeException | Error e) {
            arena.close();
            throw e;
        }
    }

    private static TensorView view(Path file, long dataStart, TensorEntry entry, MemorySegment bytes) {
        long start = dataStart + entry.begin();
        MemorySegment data = bytes.asSlice(start, entry.end() - entry.begin());
        return new TensorView(entry.name(), entry.dtype(), entry.shape(), file, start, data);
    }

    /** The file. */
    public Path file() {
        return file;
    }

    /** The tensors by name, in the order of the header; valid until this file is closed. */
    public Map<String, TensorView> tensors() {
        return tensors;
    }

    /** The free text of the header; empty if it has none. */
    public Map<String, String> metadata() {
        return metadata;
    }

    /** Unmaps the file. Later access to its tensors throws {@link IllegalStateException}. */
    @Override
    public void close() {
        if (arena.scope().isAlive()) {
            arena.close();
        }
    }
}
