package org.hotrow.bench;

import java.util.List;
import org.hotrow.allocator.KvPolicy;

/**
 * The table of vLLM's blog of 2026-09-08 on hybrid sparse offloading: eight H200, GLM-5.3, OpenHands conversations.
 *
 * @param interactivity tokens per second and user
 * @param throughput tokens of prompts and outputs per second and GPU, cached ones too
 * @param running mean number of running requests
 */
record Published(
        KvPolicy policy, boolean mtp, int concurrency, double interactivity, double throughput, double running) {
    static final List<Published> ROWS = List.of(
            hiSparse(true, 1, 257.1, 4891, 1.0),
            hiSparse(true, 8, 31.8, 8300, 7.1),
            hiSparse(true, 16, 17.9, 9623, 11.9),
            hiSparse(true, 24, 12.7, 9716, 18.1),
            hiSparse(true, 32, 14.4, 11_682, 18.9),
            hiSparse(false, 1, 89.6, 2740, 1.0),
            hiSparse(false, 8, 27.9, 6938, 6.8),
            hiSparse(false, 16, 15.6, 8481, 13.7),
            hiSparse(false, 24, 10.5, 8982, 19.7),
            hiSparse(false, 32, 9.95, 10_958, 25.5),
            offload(true, 1, 265.3, 4809, 1.0),
            offload(true, 8, 47.2, 7410, 4.8),
            offload(true, 16, 14.9, 2577, 4.8),
            offload(true, 24, 5.6, 997, 4.9),
            offload(true, 32, 5.65, 995, 4.9),
            offload(false, 1, 92.0, 2650, 1.0),
            offload(false, 8, 34.7, 6126, 4.9),
            offload(false, 16, 18.3, 3675, 4.9),
            offload(false, 24, 4.45, 987, 6.0),
            offload(false, 32, 4.36, 987, 6.0));

    private static Published hiSparse(
            boolean mtp, int concurrency, double interactivity, double tokens, double running) {
        return new Published(KvPolicy.HYBRID, mtp, concurrency, interactivity, tokens, running);
    }

    private static Published offload(
            boolean mtp, int concurrency, double interactivity, double tokens, double running) {
        return new Published(KvPolicy.OFFLOAD, mtp, concurrency, interactivity, tokens, running);
    }
}
