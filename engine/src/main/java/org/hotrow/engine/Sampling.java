package org.hotrow.engine;

/**
 * How the next token is drawn.
 *
 * @param temperature 0 takes the largest logit; else logits are divided by it
 * @param topK only the k largest; 0 for all
 * @param topP only the fewest whose probabilities reach p; 1 for all
 * @param seed of the request's own random numbers
 */
public record Sampling(double temperature, int topK, double topP, long seed) {
    /** The largest logit, always. */
    public static final Sampling GREEDY = new Sampling(0, 0, 1, 0);

    public Sampling {
        if (!(temperature >= 0 && temperature < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("temperature " + temperature + ", expected 0 or more");
        }
        if (topK < 0) {
            throw new IllegalArgumentException("top-k " + topK + ", expected 0 (off) or more");
        }
        if (!(topP > 0 && topP <= 1)) {
            throw new IllegalArgumentException("top-p " + topP + ", expected above 0 and at most 1");
        }
    }
}
