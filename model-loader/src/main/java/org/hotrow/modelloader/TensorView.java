package org.hotrow.modelloader;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;

/**
 * A tensor of an open checkpoint, as it lies in its file.
 *
 * @param name the name in the header
 * @param dtype element type
 * @param shape row-major dimensions; empty for a scalar
 * @param file the file that holds it
 * @param fileOffset byte offset of its first element in the file
 * @param data its bytes, little endian, mapped read-only, not necessarily aligned; valid while the checkpoint is open
 */
public record TensorView(String name, DType dtype, List<Long> shape, Path file, long fileOffset, MemorySegment data) {
    public TensorView {
        shape = List.copyOf(shape);
    }
}
