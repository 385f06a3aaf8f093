package org.hotrow.engine;

import java.nio.file.Path;
import java.util.BitSet;
import org.hotrow.modelloader.GenerationConfig;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.TensorStore;

/** A model folder, opened and checked; weights are mapped, not yet read. */
public final class Model implements AutoCloseable {
    private final Path configFile;
    private final ModelConfig config;
    private final GenerationConfig generation;
    private final TensorStore tensors;
    private final ModelWeights weights;
    private final ModelText text;

    private Model(
            Path configFile,
            ModelConfig config,
            GenerationConfig generation,
            TensorStore tensors,
            ModelWeights weights,
            ModelText text) {
        this.configFile = configFile;
        this.config = config;
        this.generation = generation;
        this.tensors = tensors;
        this.weights = weights;
        this.text = text;
    }

    /**
     * Opens {@code folder}: config.json, safetensors, and generation_config.json and tokenizer.json if they are there.
     *
     * @throws org.hotrow.modelloader.ModelFormatException if any of it is refused
     */
    public static Model open(Path folder) {
        ModelConfig config = ModelConfig.read(folder);
        GenerationConfig generation = GenerationConfig.read(folder, config);
        ModelText text = new ModelText(folder);
        text.tokenizer();
        TensorStore tensors = TensorStore.open(folder);
        try {
            return new Model(
                    folder.resolve("config.json"),
                    config,
                    generation,
                    tensors,
                    ModelWeights.map(config, tensors),
                    text);
        } catch (RuntimeException | Error e) {
            tensors.close();
            throw e;
        }
    }

    /** The file that {@link #config} was read from, for messages. */
    Path configFile() {
        return configFile;
    }

    /** Shapes and constants. */
    public ModelConfig config() {
        return config;
    }

    /** Stop ids and sampling defaults. */
    public GenerationConfig generation() {
        return generation;
    }

    /** The map of all tensors. */
    public ModelWeights weights() {
        return weights;
    }

    /** Its tokenizer and chat template. */
    ModelText text() {
        return text;
    }

    /** All tensors of the checkpoint. */
    TensorStore tensors() {
        return tensors;
    }

    /** Ids that may be generated: those of the tokenizer; the rest of the vocabulary is padding. */
    BitSet candidates() {
        BitSet candidates = new BitSet(config.vocabSize());
        candidates.set(0, config.vocabSize());
        text.tokenizer().ifPresent(tokenizer -> {
            for (int id = 0; id < config.vocabSize(); id++) {
                candidates.set(id, tokenizer.has(id));
            }
        });
        return candidates;
    }

    @Override
    public void close() {
        tensors.close();
    }
}
