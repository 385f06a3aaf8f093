package org.hotrow.engine;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * How the next token is drawn; see {@link Sampler} for the order.
 *
 * @param temperature 0 takes the largest logit; else logits are divided by it
 * @param topK only the k largest; 0 for all
 * @param topP only the fewest whose probabilities reach p; 1 for all
 * @param minP only those at least p times as probable as the largest; 0 for all
 * @param repetitionPenalty divides positive and multiplies negative logits of tokens of prompt and text; 1 for none
 * @param presencePenalty taken from the logits of tokens of the text
 * @param frequencyPenalty taken from the logits of tokens of the text, once for each time they are in it
 * @param seed of the request's own random numbers
 */
public record Sampling(
        double temperature,
        int topK,
        double topP,
        double minP,
        double repetitionPenalty,
        double presencePenalty,
        double frequencyPenalty,
        long seed) {
    /** The largest logit, always. */
    public static final Sampling GREEDY = new Sampling(0, 0, 1, 0, 1, 0, 0, 0);

    private static final double MAX_PENALTY = 1000;

    public Sampling {
        require(temperature >= 0 && temperature < Double.POSITIVE_INFINITY, "temperature", temperature, "0 or more");
        require(topK >= 0, "top-k", topK, "0 (off) or more");
        require(topP > 0 && topP <= 1, "top-p", topP, "above 0 and at most 1");
        require(minP >= 0 && minP <= 1, "min-p", minP, "0 to 1");
        require(
                repetitionPenalty > 0 && repetitionPenalty <= MAX_PENALTY,
                "repetition-penalty",
                repetitionPenalty,
                "above 0 and at most 1000");
        require(Math.abs(presencePenalty) <= MAX_PENALTY, "presence-penalty", presencePenalty, "-1000 to 1000");
        require(Math.abs(frequencyPenalty) <= MAX_PENALTY, "frequency-penalty", frequencyPenalty, "-1000 to 1000");
    }

    /** Draws at {@code temperature}, from all tokens. */
    public static Sampling at(double temperature, long seed) {
        return new Sampling(temperature, 0, 1, 0, 1, 0, 0, seed);
    }

    /** The same with another temperature. */
    public Sampling withTemperature(double other) {
        return with(OptionalDouble.of(other), OptionalLong.empty());
    }

    /** The same with another seed. */
    public Sampling withSeed(long other) {
        return with(OptionalDouble.empty(), OptionalLong.of(other));
    }

    /** The same from other tokens by rank. */
    public Sampling withTopK(int other) {
        return withTokens(other, topP, minP);
    }

    /** The same from other tokens by the sum of their probabilities. */
    public Sampling withTopP(double other) {
        return withTokens(topK, other, minP);
    }

    /** The same from other tokens by their probability. */
    public Sampling withMinP(double other) {
        return withTokens(topK, topP, other);
    }

    private Sampling withTokens(int otherTopK, double otherTopP, double otherMinP) {
        return new Sampling(
                temperature,
                otherTopK,
                otherTopP,
                otherMinP,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                seed);
    }

    /** The same with another temperature and seed, where they are given. */
    Sampling with(OptionalDouble otherTemperature, OptionalLong otherSeed) {
        return new Sampling(
                otherTemperature.orElse(temperature),
                topK,
                topP,
                minP,
                repetitionPenalty,
                presencePenalty,
                frequencyPenalty,
                otherSeed.orElse(seed));
    }

    private static void require(boolean holds, String name, Number value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(name + " " + value + ": expected " + expected);
        }
    }
}
