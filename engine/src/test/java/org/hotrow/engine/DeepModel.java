package org.hotrow.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hotrow.modelloader.SafetensorsWriter;
import org.hotrow.modelloader.SafetensorsWriter.Tensor;
import org.hotrow.modelloader.TensorStore;
import org.hotrow.modelloader.TensorView;

/**
 * The layers of glm-tiny, again and again, in the order of GLM-5.3: 78 of them, the first three dense, an anchor first three
 * times and then every four layers.
 */
final class DeepModel {
    static final int LAYERS = 78;

    private static final int DENSE_ANCHOR = 0;
    private static final int MOE = 2;
    private static final int MOE_ANCHOR = 3;

    private DeepModel() {}

    private record Copy(String name, TensorView from) {
        Tensor tensor() {
            return new Tensor(name, from.dtype(), from.shape());
        }
    }

    private static boolean anchor(int layer) {
        return layer < 3 || layer % 4 == 2;
    }

    private static int source(int layer) {
        return layer < 3 ? DENSE_ANCHOR : anchor(layer) ? MOE_ANCHOR : MOE;
    }

    private static String list(String one, String other) {
        return IntStream.range(0, LAYERS)
                .mapToObj(layer -> "\"" + (anchor(layer) ? one : other) + "\"")
                .collect(Collectors.joining(","));
    }

    /** Writes config.json, model.safetensors and the tokenizer. */
    static void write(Path folder) throws IOException {
        Path tiny = Golden.resource("glm-tiny/tiny-fp8");
        String config = Files.readString(tiny.resolve("config.json"));
        config = config.replaceFirst("\"num_hidden_layers\": \\d+", "\"num_hidden_layers\": " + LAYERS)
                .replaceFirst("\"first_k_dense_replace\": \\d+", "\"first_k_dense_replace\": 3")
                .replaceFirst("(?s)\"indexer_types\": \\[[^]]*]", "\"indexer_types\": [" + list("full", "shared") + "]")
                .replaceFirst("(?s)\"mlp_layer_types\": \\[[^]]*],", "")
                .replaceFirst("(?s)\"modules_to_not_convert\": \\[[^]]*]", "\"modules_to_not_convert\": []");
        Files.writeString(folder.resolve("config.json"), config);
        for (String name : List.of("tokenizer.json", "generation_config.json")) {
            Files.copy(tiny.resolve(name), folder.resolve(name));
        }
        try (TensorStore store = TensorStore.open(tiny)) {
            List<Copy> copies = copies(store);
            List<Tensor> tensors = copies.stream().map(Copy::tensor).toList();
            try (SafetensorsWriter writer =
                    SafetensorsWriter.create(folder.resolve("model.safetensors"), Map.of(), tensors)) {
                for (Copy copy : copies) {
                    writer.write(copy.from.data());
                }
                writer.finish();
            }
        }
    }

    private static List<Copy> copies(TensorStore store) {
        List<Copy> copies = new ArrayList<>();
        for (String name : store.names()) {
            TensorView from = store.find(name).orElseThrow();
            if (!name.startsWith("model.layers.")) {
                copies.add(new Copy(name, from));
                continue;
            }
            String rest = name.substring("model.layers.".length());
            int dot = rest.indexOf('.');
            int layer = Integer.parseInt(rest.substring(0, dot));
            for (int to = 0; to < LAYERS; to++) {
                if (source(to) == layer) {
                    copies.add(new Copy("model.layers." + to + rest.substring(dot), from));
                }
            }
        }
        return copies;
    }
}
