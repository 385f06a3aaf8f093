package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.URISyntaxException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Objects;
import org.hotrow.modelloader.SafetensorsFile;

/** Reference tensors of one prompt, from a file of the goldens. Names may share a prefix such as {@code dense.}. */
final class Golden {
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final String file;
    private final String prefix;

    Golden(String file, String prefix) {
        this.file = file;
        this.prefix = prefix;
    }

    static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(Golden.class.getResource("/goldens/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    boolean has(String name) {
        try (SafetensorsFile tensors = SafetensorsFile.open(resource(file))) {
            return tensors.tensors().containsKey(prefix + name);
        }
    }

    float[] floats(String name) {
        try (SafetensorsFile tensors = SafetensorsFile.open(resource(file))) {
            return data(tensors, name).toArray(FLOAT);
        }
    }

    int[] ints(String name) {
        try (SafetensorsFile tensors = SafetensorsFile.open(resource(file))) {
            return data(tensors, name).toArray(INT);
        }
    }

    private MemorySegment data(SafetensorsFile tensors, String name) {
        return Objects.requireNonNull(tensors.tensors().get(prefix + name), name)
                .data();
    }
}
