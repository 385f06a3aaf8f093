package org.hotrow.engine;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    private record Tensor(String name, TensorView from) {}

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
            writeTensors(folder.resolve("model.safetensors"), tensors(store));
        }
    }

    private static List<Tensor> tensors(TensorStore store) {
        List<Tensor> tensors = new ArrayList<>();
        for (String name : store.names()) {
            TensorView from = store.find(name).orElseThrow();
            if (!name.startsWith("model.layers.")) {
                tensors.add(new Tensor(name, from));
                continue;
            }
            String rest = name.substring("model.layers.".length());
            int dot = rest.indexOf('.');
            int layer = Integer.parseInt(rest.substring(0, dot));
            for (int to = 0; to < LAYERS; to++) {
                if (source(to) == layer) {
                    tensors.add(new Tensor("model.layers." + to + rest.substring(dot), from));
                }
            }
        }
        return tensors;
    }

    private static void writeTensors(Path file, List<Tensor> tensors) throws IOException {
        List<String> entries = new ArrayList<>();
        long bytes = 0;
        for (Tensor tensor : tensors) {
            long end = bytes + tensor.from.data().byteSize();
            entries.add("\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}"
                    .formatted(tensor.name, tensor.from.dtype(), tensor.from.shape(), bytes, end));
            bytes = end;
        }
        byte[] header = ("{" + String.join(",", entries) + "}").getBytes(StandardCharsets.UTF_8);
        try (FileChannel channel = FileChannel.open(
                file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            MemorySegment all = channel.map(
                    FileChannel.MapMode.READ_WRITE, 0, (long) Long.BYTES + header.length + bytes, Arena.ofAuto());
            all.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, header.length);
            all.asSlice(Long.BYTES).copyFrom(MemorySegment.ofBuffer(ByteBuffer.wrap(header)));
            long at = (long) Long.BYTES + header.length;
            for (Tensor tensor : tensors) {
                MemorySegment data = tensor.from.data();
                all.asSlice(at).copyFrom(data);
                at += data.byteSize();
            }
        }
    }
}
