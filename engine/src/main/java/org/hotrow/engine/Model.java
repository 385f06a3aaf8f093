package org.hotrow.engine;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Optional;
import org.hotrow.modelloader.GenerationConfig;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.TensorStore;
import org.hotrow.modelloader.TensorView;
import org.hotrow.modelloader.Tokenizer;

/** A model folder, opened and checked; weights are mapped, not yet read. */
public final class Model implements AutoCloseable {
    private static final long FINGERPRINT_BYTES = 4096;

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

    /** Its tokenizer, if the folder has one. */
    public Optional<Tokenizer> tokenizer() {
        return text.tokenizer();
    }

    /** Its tokenizer and chat template. */
    ModelText text() {
        return text;
    }

    /**
     * What tells it from other models: SHA-256 of config.json, the last norm and the first bytes of the embedding.
     *
     * @throws EngineException if config.json can't be read again
     */
    public String fingerprint() {
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(Files.readAllBytes(configFile));
            sha256.update(start(weights.norm().values()));
            sha256.update(start(weights.embedding().values()));
            return HexFormat.of().formatHex(sha256.digest());
        } catch (IOException e) {
            throw new EngineException(configFile + ": can't be read again: " + e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static byte[] start(TensorView tensor) {
        byte[] bytes = new byte[(int) Math.min(FINGERPRINT_BYTES, tensor.data().byteSize())];
        tensor.copyTo(0, MemorySegment.ofArray(bytes));
        return bytes;
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
