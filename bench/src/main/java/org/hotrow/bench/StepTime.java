package org.hotrow.bench;

import static org.hotrow.bench.H200Node.*;

/**
 * How long a step takes on the {@link H200Node}. All GPUs do the same at once.
 *
 * <pre>
 * step       = latency [+ hybrid hooks] + compute [+ drafts] + restores + exposed
 * compute    = max(weights read, matrices) + attention + indexer + all-reduces
 * weights    = shared + 256 (1 - (1 - 8/256)^n) experts of each sparse layer, over 8 GPUs, for n rows
 * indexer    = of decoded rows max(keys read, scores), of prompts scores + top-k
 * drafts     = each: one layer's share of the latency, the output head read
 * host       = rows from the host x layers x row bytes / gather rate [+ resolves]
 * exposed    = host x anchors / layers + what of the other layers' share is longer than compute
 * </pre>
 *
 * With speculative tokens a request has {@code 1 + drafts} rows in a step and gets {@link H200Node#ACCEPTED} tokens.
 * Decoded rows wait for the prompts that share their step, as in the published system.
 */
final class StepTime {
    private final boolean hybrid;
    private final int drafts;
    private final int rowBytes;

    /**
     * A model of steps.
     *
     * @param hybrid whether selected rows may be read from the host
     * @param drafts speculative tokens per request and step
     * @param rowBytes bytes of a row of one layer
     */
    StepTime(boolean hybrid, int drafts, int rowBytes) {
        this.hybrid = hybrid;
        this.drafts = drafts;
        this.rowBytes = rowBytes;
    }

    /** Seconds of a step. */
    double seconds(StepWork work) {
        double compute = compute(work);
        double draft = STEP_LATENCY / LAYERS + HEAD_BYTES / GPUS / READ_BYTES_PER_SECOND;
        return STEP_LATENCY
                + (hybrid ? HYBRID_HOOKS : 0)
                + compute
                + (work.decoding() > 0 ? drafts * draft : 0)
                + work.restoredBytes() / PAGE_BYTES_PER_SECOND
                + exposed(work.hostRows(), compute);
    }

    private double compute(StepWork work) {
        double rows = work.decoding() * (1.0 + drafts);
        double tokens = work.prefillTokens() + rows;
        double matrices = tokens * (TOKEN_FLOPS / GPUS + REPEATED_FLOPS) / GEMM_FLOPS_PER_SECOND;
        double attended = work.attendedRows() + rows * TOP_K;
        double attention = attended * LAYERS * ATTENTION_FLOPS / ATTENTION_FLOPS_PER_SECOND;
        // A ring sends each byte out and back, but for the share that stays.
        double reduced = tokens * 2 * LAYERS * HIDDEN_BYTES * 2.0 * (GPUS - 1) / GPUS;
        return Math.max(weightBytes(tokens) / READ_BYTES_PER_SECOND, matrices)
                + attention
                + ANCHORS * (prefillIndexer(work) + decodeIndexer(work))
                + reduced / NVLINK_BYTES_PER_SECOND;
    }

    /** Bytes of the weights that so many rows need. */
    static double weightBytes(double rows) {
        double experts = EXPERTS * (1 - Math.pow(1 - (double) EXPERTS_PER_TOKEN / EXPERTS, rows));
        return (SHARED_BYTES + experts * EXPERT_BYTES * SPARSE_LAYERS) / GPUS;
    }

    private static double prefillIndexer(StepWork work) {
        return work.scoredKeys() * (INDEX_FLOPS / GEMM_FLOPS_PER_SECOND + INDEX_SCORE_BYTES / READ_BYTES_PER_SECOND);
    }

    private double decodeIndexer(StepWork work) {
        return work.decodedContext()
                * Math.max(
                        INDEX_KEY_BYTES / READ_BYTES_PER_SECOND, (1.0 + drafts) * INDEX_FLOPS / GEMM_FLOPS_PER_SECOND);
    }

    /** What of the rows from the host nothing hides: an anchor's own, and what outlasts the layers that share with it. */
    private double exposed(double hostRows, double compute) {
        if (hostRows == 0) {
            return 0;
        }
        double host = hostRows * LAYERS * rowBytes / GATHER_BYTES_PER_SECOND;
        double anchors = host * ANCHORS / LAYERS;
        return ANCHORS * RESOLVE + anchors + Math.max(0, host - anchors - compute);
    }
}
