package org.hotrow.engine;

/** Looks on while the {@link ModelWalk} passes; only devices that run each operation at once have anything to show. */
interface WalkProbe {
    /** Sees nothing. */
    WalkProbe NONE = new WalkProbe() {};

    /** Attention output of {@code layer}, after the output projection, before it is added: {@code [T, hidden]}. */
    default void attention(int layer, Activation out) {}

    /** Residual stream after {@code layer}: {@code [T, hidden]}. */
    default void hidden(int layer, Activation out) {}

    /** What the drafter's pass ends with, after its last norm: {@code [T, hidden]}. */
    default void drafted(Activation out) {}

    /** Rows {@code [latent | rope]} of {@code layer}, before the cache rounds them: {@code [T, latent + rope]}. */
    default void row(int layer, Activation row) {}

    /** Index keys of anchor {@code layer}, before the cache rounds them: {@code [T, headDim]}. */
    default void indexKey(int layer, Activation key) {}

    /**
     * What the index keys of anchor {@code layer} are scored with, before the positions are selected.
     *
     * @param query {@code [T, heads * headDim]}, rotated
     * @param headWeights {@code [T, heads]}, not scaled
     */
    default void indexQuery(int layer, Activation query, Activation headWeights) {}

    /** Selected positions of anchor {@code layer}: {@code [T, topK]}. */
    default void selection(int layer, IntRows positions) {}

    /** Chosen experts of {@code layer} and their weights: {@code [T, expertsPerToken]}. */
    default void routing(int layer, IntRows experts, Activation weights) {}
}
