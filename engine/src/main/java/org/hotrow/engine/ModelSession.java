package org.hotrow.engine;

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.Residency;
import org.hotrow.allocator.Step;
import org.jspecify.annotations.Nullable;

/**
 * One request that is driven by hand, for measuring and comparing: tokens go in, steps of any size compute
 * them, logits come out. What the prefix cache has of its first tokens isn't computed.
 */
final class ModelSession implements AutoCloseable {
    private final ModelTurns turns;
    private final int maxTokens;
    private final Optional<Import> imported;
    private @Nullable KvRequest request;
    private Step.@Nullable Part part;
    private int cached;
    private boolean closed;

    ModelSession(ModelTurns turns, int maxTokens, Optional<Import> imported) {
        this.turns = turns;
        this.maxTokens = maxTokens;
        this.imported = imported;
    }

    /**
     * Adds {@code ids[from .. from + count - 1]}, 1 or more.
     *
     * @throws IllegalArgumentException if the cache could never hold the request, naming the pool that it needs
     */
    void append(int[] ids, int from, int count) {
        if (request == null) {
            int[] prompt = Arrays.copyOfRange(ids, from, from + count);
            request = turns.device().cache().allocator().open(prompt, maxTokens, imported);
        } else {
            for (int i = from; i < from + count; i++) {
                request.append(ids[i]);
            }
        }
    }

    /** Computes at most {@code most} of the tokens that have no rows; the result says how many. */
    int step(int most) {
        return turns.step(this, most);
    }

    /** Adds tokens and computes them in one step. */
    void step(int[] ids, int from, int count) {
        append(ids, from, count);
        if (step(count) != count || pending() > 0) {
            throw new EngineException("the cache has no room for " + count + " tokens in one step");
        }
    }

    /** Tokens that have no rows yet. */
    int pending() {
        return request().known() - request().length();
    }

    /** Tokens that the prefix cache had when the request began, or began again. */
    int cached() {
        return cached;
    }

    /** Its last part of a step; {@code seated}: it had a seat before. */
    void part(Step.Part described, boolean seated) {
        part = described;
        cached = seated ? cached : described.first();
    }

    Step.Part part() {
        return Objects.requireNonNull(part);
    }

    KvRequest request() {
        if (request == null) {
            throw new IllegalStateException("a session without tokens");
        }
        return request;
    }

    Optional<KvRequest> opened() {
        return Optional.ofNullable(request);
    }

    /** Makes room for others: its rows are gone, its tokens stay. */
    void preempt() {
        turns.preempt(this);
    }

    /** Logits of the last step: row i belongs to its i-th token that wanted them. */
    CpuActivation logits() {
        return turns.device().logitRows();
    }

    CpuActivation finalNorm() {
        return turns.device().finalNorm();
    }

    /** The stored row of {@code position}, decoded: {@code [latent | rope]}. */
    void readRow(int layer, int position, float[] row) {
        turns.device().readRow(residency().seat(), layer, position, row);
    }

    /** The stored index key of {@code position}, decoded. */
    void readIndexKey(int layer, int position, float[] key) {
        turns.device().readIndexKey(residency().seat(), layer, position, key);
    }

    Residency residency() {
        return request().residency().orElseThrow();
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            turns.close(this);
        }
    }
}
