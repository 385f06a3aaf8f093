package org.hotrow.modelloader;

import org.jspecify.annotations.Nullable;

/**
 * YaRN: RoPE frequencies stretched for a context longer than the one of pre-training, at all positions.
 *
 * @param factor stretch of the slow frequencies, at least 1
 * @param originalContext context length of pre-training
 * @param betaFast rotations within {@code originalContext} above which a frequency stays as it is
 * @param betaSlow rotations below which it is divided by {@code factor}; a linear ramp between
 * @param mscale magnitude of cos and sin, null when not given or 0
 * @param mscaleAllDim magnitude of queries and keys, null when not given or 0
 * @param attentionFactor overrides the factor of cos and sin, null when not given
 * @param truncate whether the ramp's ends are rounded outwards to whole dimensions
 */
public record Yarn(
        double factor,
        int originalContext,
        double betaFast,
        double betaSlow,
        @Nullable Double mscale,
        @Nullable Double mscaleAllDim,
        @Nullable Double attentionFactor,
        boolean truncate) {
    private static final double MAX_FACTOR = 1e6;
    private static final double MAX_BETA = 1e6;
    private static final double MAX_MAGNITUDE = 1e3;

    /** Factor of cos and sin. */
    public double cosSinFactor() {
        if (attentionFactor != null) {
            return attentionFactor;
        }
        return mscale != null && mscaleAllDim != null ? magnitude(mscale) / magnitude(mscaleAllDim) : magnitude(1);
    }

    /** Factor of the attention scores: the square of the magnitude of {@code mscaleAllDim}, or 1. */
    public double scoreFactor() {
        double magnitude = mscaleAllDim == null ? 1 : magnitude(mscaleAllDim);
        return magnitude * magnitude;
    }

    private double magnitude(double mscale) {
        return 0.1 * mscale * Math.log(factor) + 1;
    }

    static Yarn read(JsonFields rope, int maxContext) {
        var yarn = new Yarn(
                rope.positive("factor", MAX_FACTOR),
                rope.whole("original_max_position_embeddings", 1, maxContext),
                rope.positive("beta_fast", MAX_BETA, 32),
                rope.positive("beta_slow", MAX_BETA, 1),
                magnitudeOrNull(rope, "mscale"),
                magnitudeOrNull(rope, "mscale_all_dim"),
                rope.has("attention_factor") ? rope.positive("attention_factor", MAX_MAGNITUDE) : null,
                rope.flag("truncate", true));
        if (yarn.factor < 1) {
            throw rope.refusal("factor", "at least 1");
        }
        if (yarn.betaFast < yarn.betaSlow) {
            throw rope.refusal("beta_fast", "at least beta_slow, " + yarn.betaSlow);
        }
        return yarn;
    }

    private static @Nullable Double magnitudeOrNull(JsonFields rope, String name) {
        double value = rope.zeroOrMore(name, MAX_MAGNITUDE, 0);
        return value == 0 ? null : value;
    }
}
