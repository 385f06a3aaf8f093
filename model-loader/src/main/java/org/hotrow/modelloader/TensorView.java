package org.hotrow.modelloader;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /**
     * Fills {@code target} with the bytes that start at byte {@code from} of this tensor.
     *
     * <p>Unlike a read of {@link #data}, this survives a file that was cut short while it is mapped: a page that is
     * gone faults, and the rest of the last page reads as zeros.
     *
     * @throws ModelFormatException if the file no longer holds these bytes
     * @throws IndexOutOfBoundsException if the tensor has fewer bytes
     */
    public void copyTo(long from, MemorySegment target) {
        try {
            MemorySegment.copy(data, from, target, 0, target.byteSize());
            // Finds the zeros of a cut page. It also makes the JVM deliver the error of a fault here: compiled code
            // does not notice one before its next safepoint, which can be after the return of this method.
            if (Files.size(file) < fileOffset + from + target.byteSize()) {
                throw gone(from, target, null);
            }
        } catch (InternalError | IOException e) {
            throw gone(from, target, e);
        }
    }

    /**
     * All bytes of this tensor, copied to the heap.
     *
     * @throws ModelFormatException if the file no longer holds them
     * @throws ArithmeticException if they are more than an array takes
     */
    MemorySegment copy() {
        MemorySegment copy = MemorySegment.ofArray(new byte[Math.toIntExact(data.byteSize())]);
        copyTo(0, copy);
        return copy;
    }

    private ModelFormatException gone(long from, MemorySegment target, @Nullable Throwable cause) {
        long start = fileOffset + from;
        return new ModelFormatException(
                file,
                where(name),
                "bytes [" + start + ", " + (start + target.byteSize()) + ") of the file are gone: it was cut short or"
                        + " removed while it was open; restore it and load the model again",
                cause);
    }

    /** How a refusal names the tensor {@code name}. */
    static String where(String name) {
        return "tensor " + name;
    }
}
