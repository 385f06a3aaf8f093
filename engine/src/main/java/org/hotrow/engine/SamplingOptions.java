package org.hotrow.engine;

import java.util.List;
import java.util.OptionalLong;
import org.hotrow.modelloader.GenerationConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Flags that say how tokens are drawn and when the text ends. What is not given, generation_config.json decides. */
public final class SamplingOptions {
    @Option(
            names = "--max-new-tokens",
            defaultValue = "256",
            paramLabel = "N",
            description = "most tokens to generate (default ${DEFAULT-VALUE})")
    private int maxNewTokens;

    @Option(
            names = "--temperature",
            paramLabel = "T",
            description = "0 takes the likeliest token; without it generation_config.json decides")
    private @Nullable Double temperature;

    @Option(names = "--top-k", paramLabel = "K", description = "draw from the K likeliest tokens; 0 for all")
    private @Nullable Integer topK;

    @Option(names = "--top-p", paramLabel = "P", description = "draw from the fewest tokens that reach probability P")
    private @Nullable Double topP;

    @Option(
            names = "--min-p",
            paramLabel = "P",
            description = "draw from tokens at least P times as likely as the likeliest")
    private @Nullable Double minP;

    @Option(
            names = "--repetition-penalty",
            paramLabel = "R",
            description = "against tokens of prompt and text; 1 for none")
    private @Nullable Double repetitionPenalty;

    @Option(
            names = "--presence-penalty",
            defaultValue = "0",
            paramLabel = "R",
            description = "against tokens of the text (default ${DEFAULT-VALUE})")
    private double presencePenalty;

    @Option(
            names = "--frequency-penalty",
            defaultValue = "0",
            paramLabel = "R",
            description = "against tokens of the text, for each time (default ${DEFAULT-VALUE})")
    private double frequencyPenalty;

    @Option(names = "--seed", paramLabel = "S", description = "of the random numbers: same seed, same text")
    private @Nullable Long seed;

    @Option(
            names = "--stop",
            paramLabel = "TEXT",
            description = "ends the text before TEXT; may be given several times")
    private List<String> stop = List.of();

    @Option(names = "--ignore-eos", description = "go on after the model's stop tokens")
    private boolean ignoreEos;

    /** Flags that picocli fills. */
    public SamplingOptions() {}

    /** Most tokens of an answer. */
    public int maxNewTokens() {
        return maxNewTokens;
    }

    /** Whether stop ids don't end the text. */
    public boolean ignoreEos() {
        return ignoreEos;
    }

    /**
     * What ends a text; a new one for each.
     *
     * @throws RequestException if one is empty
     */
    public StopStrings stopStrings() {
        if (stop.contains("")) {
            throw new RequestException("--stop: is empty, expected text");
        }
        return new StopStrings(stop);
    }

    /** The seed, if one was given. */
    public OptionalLong seed() {
        return seed == null ? OptionalLong.empty() : OptionalLong.of(seed);
    }

    /**
     * How tokens are drawn; without {@code --seed} each call has another seed.
     *
     * @throws RequestException naming the flag that is out of range
     */
    public Sampling sampling(GenerationConfig file) {
        if (maxNewTokens < 1) {
            throw new RequestException("--max-new-tokens " + maxNewTokens + ": expected 1 or more");
        }
        // Without --temperature the file alone decides whether to sample.
        double fileTemperature = file.doSample() ? file.temperature() : 0;
        try {
            return new Sampling(
                    temperature != null ? temperature : fileTemperature,
                    topK != null ? topK : file.topK(),
                    topP != null ? topP : file.topP(),
                    minP != null ? minP : file.minP(),
                    repetitionPenalty != null ? repetitionPenalty : file.repetitionPenalty(),
                    presencePenalty,
                    frequencyPenalty,
                    seed != null ? seed : System.nanoTime());
        } catch (IllegalArgumentException e) {
            throw new RequestException("--" + e.getMessage(), e);
        }
    }
}
