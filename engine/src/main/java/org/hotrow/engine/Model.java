package org.hotrow.engine;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;
import org.hotrow.modelloader.GenerationConfig;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.TensorStore;
import org.hotrow.modelloader.Tokenizer;

/** A model folder, opened and checked; weights are mapped, not yet read. */
public final class Model implements AutoCloseable {
    private final Path configFile;
    private final ModelConfig config;
    private final GenerationConfig generation;
    private final TensorStore tensors;
    private final ModelWeights weights;
    private final Optional<Tokenizer> tokenizer;

    private Model(
            Path configFile,
            ModelConfig config,
            GenerationConfig generation,
            TensorStore tensors,
            ModelWeights weights,
            Optional<Tokenizer> tokenizer) {
        this.configFile = configFile;
        this.config = config;
        this.generation = generation;
        this.tensors = tensors;
        this.weights = weights;
        this.tokenizer = tokenizer;
    }

    /**
     * Opens {@code folder}: config.json, safetensors, and generation_config.json and tokenizer.json if they are there.
     *
     * @throws org.hotrow.modelloader.ModelFormatException if any of it is refused
     */
    public static Model open(Path folder) {
        ModelConfig config = ModelConfig.read(folder);
        GenerationConfig generation = GenerationConfig.read(folder, config);
        Path tokenizerFile = folder.resolve("tokenizer.json");
        Optional<Tokenizer> tokenizer = Files.exists(tokenizerFile, LinkOption.NOFOLLOW_LINKS)
                ? Optional.of(Tokenizer.read(tokenizerFile))
                : Optional.empty();
        TensorStore tensors = TensorStore.open(folder);
        try {
            return new Model(
                    folder.resolve("config.json"),
                    config,
                    generation,
                    tensors,
                    ModelWeights.map(config, tensors),
                    tokenizer);
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

    /** The tokenizer, if the folder has one. */
    public Optional<Tokenizer> tokenizer() {
        return tokenizer;
    }

    /** Ids that may be generated: those of the tokenizer; the rest of the vocabulary is padding. */
    int candidates() {
        return tokenizer.map(t -> Math.min(t.size(), config.vocabSize())).orElse(config.vocabSize());
    }

    @Override
    public void close() {
        tensors.close();
    }
}
