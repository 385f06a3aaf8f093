package org.hotrow.engine;

import java.util.List;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.VectorTensor;

/**
 * What a device does for the {@link ModelWalk}: some twenty operations over buffers of one row per token of the step.
 *
 * <p>An operation may run at once ({@link CpuOps}) or be recorded and run later; so none returns a value, and all that
 * changes from step to step is read from {@link StepArrays}. T is the number of rows of the step, H of heads. Every
 * output element has one order of summation that depends neither on T nor on threads nor on the blocks that hold the
 * cache.
 */
public interface Ops {
    /** A buffer for {@code [maxRows, width]} f32. */
    Activation activation(int width);

    /** A buffer for {@code [maxLogitRows, width]} f32: one row per row of the step whose logits are wanted. */
    Activation logitActivation(int width);

    /** A buffer for {@code [maxRows, width]} ints. */
    IntRows ints(int width);

    /** f of all rows of a step, {@code [all rows, hidden]}: a device may compute a step in parts. */
    Activation features();

    /** Selections of all rows of a step, {@code [all rows, k]}. */
    IntRows selections();

    /** {@code out[t] = table[token[t]]}. */
    void embed(MatrixTensor table, Activation out);

    /** {@code all[row of the step that t is] = x[t]}, for {@link #features}. */
    void keep(Activation x, Activation all);

    /** The same for {@link #selections}. */
    void keep(IntRows x, IntRows all);

    /** {@code out[t] = all[sourceRow[t]]}: {@link #features} of an earlier pass over other rows. */
    void take(Activation all, Activation out);

    /** {@code out[t] = all[selectionRow[t]]}: {@link #selections} of an earlier pass. */
    void take(IntRows all, IntRows out);

    /** {@code out[t] = [left[t] | right[t]]}. */
    void join(Activation left, Activation right, Activation out);

    /** The rotary angles of all positions of the step, for {@link #rope}. */
    void angles();

    /** {@code out[t] = x[t] / sqrt(mean(x[t]^2) + eps) * weight}; {@code out} may be {@code x}. */
    void rmsNorm(Activation x, VectorTensor weight, Activation out);

    /** {@code out[t] = (x[t] - mean) / sqrt(variance + 1e-6) * weight + bias}; {@code out} may be {@code x}. */
    void layerNorm(Activation x, VectorTensor weight, VectorTensor bias, Activation out);

    /** {@code out[t] = weight . x[t]}: {@code [T, cols] -> [T, rows]}. */
    void linear(MatrixTensor weight, Activation x, Activation out);

    /** {@code into[t] += x[t]}. */
    void add(Activation x, Activation into);

    /** {@link #add}, then {@link #rmsNorm} of the sum, which a device may do in one pass; {@code out} is another buffer. */
    void addNorm(Activation x, Activation into, VectorTensor weight, Activation out);

    /** {@code out[t] = silu(gate[t]) * up[t]}; {@code out} may be either. */
    void swiglu(Activation gate, Activation up, Activation out);

    /**
     * Rotates, in place, the rope dimensions that start at {@code at} within each of {@code heads} equal parts of a row.
     *
     * @param interleaved pairs (2i, 2i+1), else (i, i + half)
     */
    void rope(Activation x, int heads, int at, boolean interleaved);

    /** Query side of absorbed MLA: {@code out[t,h] = [W_UK(h)^T q_nope(t,h) | q_rope(t,h)]}, {@code [T, H * (latent + rope)]}. */
    void absorb(MatrixTensor kvB, Activation query, Activation out);

    /** Value side of absorbed MLA: {@code out[t,h] = W_UV(h) latent[t,h]}, {@code [T, H * latent] -> [T, H * value]}. */
    void expand(MatrixTensor kvB, Activation latent, Activation out);

    /** Stores {@code [latent | rope]} of each row in the cache of {@code layer}, at {@code writeRow[t]}. */
    void writeRow(int layer, Activation row);

    /** Stores each row's index key in the index pages of {@code layer}. */
    void writeIndexKey(int layer, Activation key);

    /**
     * Lightning indexer: {@code score(t,s) = sum_h w(t,h) relu(query(t,h) . key(s))} over the stored keys of positions
     * {@code s <= position[t]}, then the top-k positions, ascending, -1 filled.
     *
     * @param headWeights {@code [T, heads]}, not yet scaled by (heads * width)^-0.5
     */
    void select(int layer, Activation query, Activation headWeights, IntRows positions);

    /**
     * Positions to row ids, in order; -1 stays -1. A row that is not on the device gets a place in its request's hot
     * region, in all layers from this anchor to the next.
     */
    void resolve(int anchor, IntRows positions, IntRows rows);

    /**
     * {@code out[t,h] = softmax_s(query(t,h) . row(s) * scale) . latent(s)} over the stored rows of {@code layer}. Rows
     * that {@link #resolve} missed are loaded from the host first.
     */
    void attend(int layer, Activation query, IntRows rows, Activation out);

    /** Chooses experts: ids ascending and their weights, {@code [T, expertsPerToken]} each. */
    void route(MatrixTensor gate, VectorTensor bias, Activation x, IntRows experts, Activation weights);

    /** {@code out[t] = sum_e weight(t,e) expert_e(x[t])} over the chosen experts, in ascending order of e. */
    void experts(List<DenseMlp> experts, Activation x, IntRows chosen, Activation weights, Activation out);

    /** Final norm and head for the rows in {@code logitRow}: row i of both outputs belongs to {@code logitRow[i]}. */
    void logits(Activation hidden, VectorTensor norm, MatrixTensor head, Activation normed, Activation logits);
}
