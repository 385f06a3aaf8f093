package org.hotrow.engine;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** What the operations of {@link KernelBenchmark} are, in words. */
public final class KernelShapes {
    private KernelShapes() {}

    /** Kernels and shape by operation, with the weights of the model that property {@code hotrow.model} names. */
    public static Map<String, String> words() {
        String folder = Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model");
        Map<String, String> words = new LinkedHashMap<>();
        try (Model model = Model.open(Path.of(folder))) {
            for (KernelCase kernel : new KernelCases(model).all()) {
                words.put(kernel.name(), String.join(", ", kernel.kernels()) + "; " + kernel.shape());
            }
        }
        return words;
    }
}
