package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

/** The step times beside numbers worked out by hand, and beside the one published row that was fitted. */
class StepTimeTest {
    private static final StepTime PLAIN = new StepTime(false, 0, 576);
    private static final StepTime PLAIN_MTP = new StepTime(false, 3, 576);
    private static final StepTime HYBRID = new StepTime(true, 0, 656);

    /** The shapes of GLM-5.3's config.json: 41.38 GB a token, all GPUs together; the calculator's shared weights are a little more. */
    @Test
    void oneTokenReadsTheWeightsOfEightExperts() {
        assertThat(8 * StepTime.weightBytes(1)).isCloseTo(41.38e9, withinPercentage(2));
    }

    /** vLLM's concurrency calculator: 19.556 and 684.167 GiB, the latter with the MTP layer's experts; the embedding isn't read. */
    @Test
    void manyTokensReadAllWeights() {
        double all = (19.556 + 684.167 * 75 / 76) * (1L << 30) - H200Node.HEAD_BYTES;
        assertThat(8 * StepTime.weightBytes(10_000)).isCloseTo(all, withinPercentage(0.1));
    }

    /** Two tokens share few of their 16 experts: 256 (1 - (31/32)^2) = 15.75. */
    @Test
    void tokensShareExperts() {
        double one = StepTime.weightBytes(1);
        assertThat(StepTime.weightBytes(2) - one).isCloseTo(7.75 * 37_757_952 * 75 / 8, withinPercentage(0.01));
    }

    /** Prefill of 1,000 tokens after 80,000: by hand, in microseconds per token. */
    @Test
    void prefillIsTheSumOfItsParts() {
        double matrices = (80.6e9 / 8 + 2 * (78 * 6144 * 2624.0 + 21 * 9_371_648.0)) / 474e12 * 1e6;
        double attention = 78L * 2048 * 139_264 / 250e12 * 1e6;
        double scores = 21 * 80_500 * (8192 / 474e12 + 12 / (4.8e12 * 3000 / 3350)) * 1e6;
        double reduced = 156 * 12_288 * 1.75 / 450e9 * 1e6;
        assertThat(attention).isCloseTo(89.0, within(0.1));
        assertThat(reduced).isCloseTo(7.5, within(0.1));
        double expected = H200Node.STEP_LATENCY + 1000e-6 * (matrices + attention + scores + reduced);
        assertThat(PLAIN.seconds(StepWork.prefill(80_000, 1000))).isCloseTo(expected, withinPercentage(0.1));
    }

    /** 1,500 tokens after 1,000: 1,048 of them attend to all before, the others to 2,048. */
    @Test
    void attendsToAtMostTheTopK() {
        StepWork work = StepWork.prefill(1000, 1500);
        assertThat(work.attendedRows()).isEqualTo((1001 + 2048) * 1048L / 2 + 452 * 2048L);
        assertThat(work.scoredKeys()).isEqualTo((1001 + 2500) * 1500L / 2);
        assertThat(StepWork.prefill(5000, 3).attendedRows()).isEqualTo(3 * 2048);
    }

    /**
     * 19 requests that miss 30 % of 2,048 rows wait 12 ms for the link at 50 GB/s, 16.2 ms at 37 GB/s.
     * Hidden by the compute: the other layers' 57/78, as far as it reaches.
     */
    @Test
    void rowsFromTheHostAreHiddenBehindTheLayersThatShare() {
        double rows = 19 * 2048 * 0.3;
        double host = rows * 78 * 656 / 37e9;
        assertThat(host).isCloseTo(16.2e-3, within(0.1e-3));
        StepWork resident = StepWork.decode(19, 80_000);
        double compute = HYBRID.seconds(resident) - H200Node.STEP_LATENCY - H200Node.HYBRID_HOOKS;
        assertThat(host * 57 / 78).isBetween(compute / 2, 2 * compute);

        double waits = HYBRID.seconds(resident.from(2 * rows, 0)) - HYBRID.seconds(resident);
        assertThat(waits).isCloseTo(21 * 30e-6 + 2 * host - compute, within(1e-6));
        double hidden = HYBRID.seconds(resident.from(rows / 2, 0)) - HYBRID.seconds(resident);
        assertThat(hidden).isCloseTo(21 * 30e-6 + host / 2 * 21 / 78, within(1e-6));
    }

    @Test
    void pagesComeBackBeforeTheFirstLayer() {
        StepWork work = StepWork.decode(1, 80_000);
        assertThat(PLAIN.seconds(work.from(0, 5_000_000_000L)) - PLAIN.seconds(work))
                .isCloseTo(0.1, within(1e-9));
    }

    /** The four fits, in tokens per second and seconds; MTP3 with HiSparse is compared only. */
    @Test
    void oneConversationIsFitted() {
        int context = 74_160 + 6 * 973 + 110;
        StepWork work = StepWork.decode(1, context);
        assertThat(1 / PLAIN.seconds(work)).isCloseTo(92.0, within(0.1));
        assertThat(1 / new StepTime(true, 0, 576).seconds(work)).isCloseTo(89.6, within(0.1));
        assertThat(H200Node.ACCEPTED / PLAIN_MTP.seconds(work)).isCloseTo(265.3, within(0.5));
        assertThat(H200Node.ACCEPTED / new StepTime(true, 3, 576).seconds(work)).isCloseTo(257.1, within(4.0));

        double prefill = 0;
        for (int from = 0; from < 74_160; from += H200Node.MAX_BATCHED_TOKENS) {
            prefill += PLAIN.seconds(StepWork.prefill(from, Math.min(H200Node.MAX_BATCHED_TOKENS, 74_160 - from)));
        }
        for (int turn = 1; turn < 13; turn++) {
            int prompt = 74_160 + turn * 973;
            int hit = (prompt - 753 - 1) / 64 * 64;
            prefill += PLAIN.seconds(StepWork.prefill(hit, prompt - hit));
        }
        double published = 0;
        for (double[] series : new double[][] {{257.1, 4891}, {89.6, 2740}, {265.3, 4809}, {92.0, 2650}}) {
            published += (1_042_834 / series[1] / 8 - 13 * 219 / series[0]) / 4;
        }
        assertThat(prefill + 13 * H200Node.FRONT_END).isCloseTo(published, within(0.1));
    }
}
