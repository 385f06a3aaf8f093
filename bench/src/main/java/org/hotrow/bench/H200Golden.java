package org.hotrow.bench;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.SafetensorsFile;
import org.hotrow.modelloader.TensorView;

/** A prompt and its greedy tokens. */
record H200Golden(List<Long> prompt, List<Long> tokens) {
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The demo model's story. */
    static H200Golden demo(Path root) throws IOException {
        Map<String, Object> golden =
                JsonTree.object(Files.readString(root.resolve("engine/demo-model/golden/golden_0_story_raw.json")));
        return new H200Golden(longs(golden, "input_ids"), longs(golden, "generated_ids"));
    }

    private static List<Long> longs(Map<String, Object> golden, String name) {
        if (golden.get(name) instanceof List<?> list) {
            return list.stream().map(id -> (Long) id).toList();
        }
        throw new IllegalArgumentException("the golden has no list " + name);
    }

    /** A prompt longer than the top-k of glm-tiny. */
    static H200Golden sparse(Path root) {
        Path file = root.resolve("engine/src/test/resources/goldens/glm-tiny/golden_fp8.safetensors");
        try (SafetensorsFile tensors = SafetensorsFile.open(file)) {
            return new H200Golden(
                    ints(tensors.tensors(), "sparse.input_ids"), ints(tensors.tensors(), "sparse.greedy_tokens"));
        }
    }

    private static List<Long> ints(Map<String, TensorView> tensors, String name) {
        TensorView tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("the golden has no tensor " + name);
        }
        return Arrays.stream(tensor.data().toArray(INT))
                .mapToObj(id -> (long) id)
                .toList();
    }

    /** The same with so many tokens at most. */
    H200Golden first(int count) {
        return new H200Golden(prompt, tokens.subList(0, Math.min(count, tokens.size())));
    }
}
