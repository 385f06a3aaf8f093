package org.hotrow.bench;

/**
 * The constants of the cost model: GLM-5.3 in FP8 on eight H200, tensor parallel over all of them, served by vLLM. Each says
 * where it is from. SI units; "per GPU" unless it says otherwise.
 *
 * <p>Four of them are fitted, to the row of one conversation at a time (c = 1) of the published table and to nothing else:
 * {@link #STEP_LATENCY}, {@link #HYBRID_HOOKS}, {@link #ACCEPTED} and {@link #FRONT_END}. No constant was changed after a
 * replay had been seen. The rest of the table was known when the sources were chosen, though.
 *
 * <p>"Calculator" is vLLM's concurrency calculator, "blog" its post of 2026-09-08 on hybrid sparse offloading, {@link
 * Published}; numbers with # are issues and pull requests of SGLang.
 */
final class H200Node {
    static final int GPUS = 8;

    // H200, datasheet.
    private static final double HBM_BYTES_PER_SECOND = 4.8e12;
    /** NVLink 4: 900 GB/s, half of it each way. */
    static final double NVLINK_BYTES_PER_SECOND = 450e9;

    // GLM-5.3, config.json and the shapes that follow from it.
    static final int LAYERS = 78;
    static final int SPARSE_LAYERS = 75;
    static final int ANCHORS = 21;
    static final int TOP_K = 2048;
    static final int EXPERTS = 256;
    static final int EXPERTS_PER_TOKEN = 8;
    static final int HIDDEN_BYTES = 6144 * 2;
    static final double EXPERT_BYTES = 37_757_952;
    static final double HEAD_BYTES = 1_903_165_440;
    /** All but the routed experts: 19.556 GiB (calculator), of which the embedding is not read. */
    static final double SHARED_BYTES = 19.556 * (1L << 30) - HEAD_BYTES;

    /** Weights that a token is multiplied with, all GPUs together. */
    static final double TOKEN_FLOPS = 2 * 40_297_758_720.0;
    /** What every GPU repeats: the projections before the heads split, and the indexer. */
    static final double REPEATED_FLOPS = 2.0 * (LAYERS * 6144 * (2048 + 576) + ANCHORS * 9_371_648L);
    /** One query over one row: scores of 576, values of 512; a GPU's 8 heads are padded to 64. */
    static final double ATTENTION_FLOPS = 2 * (576 + 512) * 64;
    /** One query against one index key: 32 heads of 128. */
    static final double INDEX_FLOPS = 2 * 32 * 128;

    static final int INDEX_KEY_BYTES = 132;
    /** A score of the indexer in prefill: written once and read twice by the exact top-k, f32. */
    static final double INDEX_SCORE_BYTES = 3 * Float.BYTES;

    /** What a good kernel gets of the datasheet's: FlashMLA reads 3,000 of an H800's 3,350 GB/s (its README). */
    static final double READ_BYTES_PER_SECOND = HBM_BYTES_PER_SECOND * 3000 / 3350;
    /**
     * Sparse attention over fp8 rows. With fewer than 32 heads on a GPU, vLLM sends prefill too through the decode kernel,
     * which takes 64 heads per thread block. Its 410 TFLOPS are for 128 heads, where two blocks share the rows that they
     * decode; 64 heads have nobody to share with, so it is the 250 from before there was sharing (FlashMLA's README).
     */
    static final double ATTENTION_FLOPS_PER_SECOND = 250e12;
    /**
     * FP8 matrices in prefill, and index scores. GLM-5.2 on such a node with SGLang makes 236 output tokens/s per GPU from
     * prompts of 8K and outputs of 1K (#28437), so at most 66.2 us per prompt token if decoding were
     * free. Of them 30.4 us are attention (640 TFLOPS of FlashMLA's sparse prefill), 7.5 us all-reduces and
     * 1.1 us index scores, which leaves 27.2 us for 12.9 GFLOP: a quarter of the datasheet's 1,979 TFLOPS.
     */
    static final double GEMM_FLOPS_PER_SECOND = 474e12;

    /** Pages between host and device, PCIe 5 (vLLM's blog of 2026-01). */
    static final double PAGE_BYTES_PER_SECOND = 50e9;
    /** Rows that a kernel gathers from the host (ESS, arXiv 2512.10576). */
    static final double GATHER_BYTES_PER_SECOND = 37e9;
    /** Pages to the host while a model runs (ESS). */
    static final double WRITE_BACK_BYTES_PER_SECOND = 43e9;
    /** One anchor's resolve, a chain of short phases (#22187). */
    static final double RESOLVE = 30e-6;

    // The published run: blog and calculator.
    static final int MAX_BATCHED_TOKENS = 32_768;
    static final int MAX_SEQUENCES = 256;
    static final int DRAFTS = 3;
    /** HiSparse's host pool: one copy for all GPUs. */
    static final long HOST_ROW_BYTES = 384L << 30;
    /** Offload of its index keys: a copy per GPU. */
    static final long HOST_INDEX_BYTES = (128L << 30) / GPUS;
    /** Plain offload, derived: 512 GiB are split among the GPUs, and each keeps its own copy of all it offloads. */
    static final long HOST_OFFLOAD_BYTES = (512L << 30) / GPUS;

    /** What a step takes beside the bytes and operations counted here. Fitted: offload, no MTP, c = 1, 92.0 tok/s. */
    static final double STEP_LATENCY = 9.507e-3;
    /** What HiSparse adds to each step, even if nothing was spilled. Fitted: its c = 1 without MTP, 89.6 tok/s. */
    static final double HYBRID_HOOKS = 0.291e-3;
    /** Tokens per step with three drafts. Fitted: offload, MTP3, c = 1, 265.3 tok/s. */
    static final double ACCEPTED = 3.61;
    /**
     * From a client's last token to the next turn in the scheduler: templates and tokenizers over 80K tokens, requests over
     * HTTP; the GPUs go on with others meanwhile. Fitted: the mean time of a conversation in the four series, c = 1.
     */
    static final double FRONT_END = 0.355;

    private H200Node() {}
}
