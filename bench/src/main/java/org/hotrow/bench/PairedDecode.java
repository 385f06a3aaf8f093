package org.hotrow.bench;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.Sequence;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.engine.lanes.LanesChoice;
import org.hotrow.kernels.KvDtype;

/**
 * Decoding of the demo model in turns: alone, with 7 others in the batch, and alone under {@code hybrid} in a pool that
 * holds everything. Each round takes 64 steps of each after prompts of the same length; ratios are of one round, and their
 * medians are printed as a Markdown table.
 */
final class PairedDecode {
    private static final int BATCH = 8;
    private static final int STEPS = 64;
    private static final int WARM_UP = 12;
    private static final int ROUNDS = 21;
    private static final int MOST_TOKENS = 4096;

    private int prompts;

    /** What is compared. */
    private enum Contender {
        ALONE(KvPolicy.RESIDENT, 1),
        BATCHED(KvPolicy.RESIDENT, BATCH),
        HYBRID(KvPolicy.HYBRID, 1);

        private final KvPolicy policy;
        private final int seats;

        Contender(KvPolicy policy, int seats) {
            this.policy = policy;
            this.seats = seats;
        }
    }

    private PairedDecode() {}

    /** Prints the table for the model in the folder {@code args[0]}. */
    public static void main(String[] args) {
        if (args.length != 1) {
            throw new IllegalArgumentException("expected one argument, the model's folder");
        }
        Lanes lanes = LanesChoice.of(LanesChoice.Mode.auto).lanes();
        try (Model model = Model.open(Path.of(args[0]));
                Generator alone = load(model, lanes, Contender.ALONE);
                Generator batched = load(model, lanes, Contender.BATCHED);
                Generator hybrid = load(model, lanes, Contender.HYBRID)) {
            System.out.printf("| prompt | alone, tok/s | batch of %d, tok/s | ratio | hybrid / resident |%n", BATCH);
            System.out.println("| -----: | -----------: | ----------------: | ----: | ----------------: |");
            PairedDecode pairs = new PairedDecode();
            for (int prompt : new int[] {64, 448, 2048}) {
                pairs.compare(model, prompt, alone, batched, hybrid);
            }
        }
    }

    private static Generator load(Model model, Lanes lanes, Contender contender) {
        int threads = Runtime.getRuntime().availableProcessors();
        CacheOptions cache = CacheOptions.of(contender.policy);
        CacheFormat format = CacheFormat.of(KvDtype.FP8);
        return new Generator(
                model, format, cache, MOST_TOKENS, contender.seats, lanes, threads, 512, LoadProgress.NONE);
    }

    private void compare(Model model, int prompt, Generator alone, Generator batched, Generator hybrid) {
        double[] batchRatio = new double[ROUNDS];
        double[] hybridRatio = new double[ROUNDS];
        double[] one = new double[ROUNDS];
        double[] eight = new double[ROUNDS];
        for (int round = -WARM_UP; round < ROUNDS; round++) {
            double hybridRate = rate(model, hybrid, 1, prompt);
            double aloneRate = rate(model, alone, 1, prompt);
            double batchedRate = rate(model, batched, BATCH, prompt);
            if (round >= 0) {
                one[round] = aloneRate;
                eight[round] = batchedRate;
                batchRatio[round] = batchedRate / aloneRate;
                hybridRatio[round] = hybridRate / aloneRate;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "| %d | %.0f | %.0f | %.2f | %.3f |%n",
                prompt,
                median(one),
                median(eight),
                median(batchRatio),
                median(hybridRatio));
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }

    /** Tokens per second of {@link #STEPS} steps, once all requests decode. */
    private double rate(Model model, Generator generator, int requests, int promptTokens) {
        Sequence[] sequences = new Sequence[requests];
        for (int i = 0; i < requests; i++) {
            int[] prompt = new int[promptTokens];
            for (int t = 0; t < promptTokens; t++) {
                prompt[t] = (prompts + t * 7) % model.config().vocabSize();
            }
            // Nobody finds what another has in the prefix cache.
            prompts++;
            sequences[i] = generator.submit(prompt, MOST_TOKENS, Sampling.GREEDY, true, id -> true);
        }
        while (Arrays.stream(sequences).anyMatch(s -> s.generated() == 0)) {
            generator.scheduler().step();
        }
        long start = System.nanoTime();
        for (int i = 0; i < STEPS; i++) {
            generator.scheduler().step();
        }
        long nanos = System.nanoTime() - start;
        for (Sequence sequence : sequences) {
            generator.scheduler().cancel(sequence);
        }
        generator.scheduler().step();
        return requests * STEPS * 1e9 / nanos;
    }
}
