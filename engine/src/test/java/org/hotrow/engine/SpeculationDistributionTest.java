package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.Scheduler.Progress;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tokens that are drawn while guesses are verified have the distribution of the model's, and a guess that is taken a
 * little too often is noticed in as many tokens.
 *
 * <pre>
 * model     the logits of a row depend on its token alone: a table of 6 x 6
 * drafter   the likeliest token most of the time, else any: with random numbers of its own
 * counted   each token of the text, by the token before it, and by whether a guess came before it in its round
 * chi2      sum of (counted - expected)^2 / expected, over all that have been counted with the same
 * </pre>
 */
class SpeculationDistributionTest {
    private static final int VOCAB = 6;
    private static final int DRAFTS = 4;
    private static final int TEXTS = 60;
    private static final int TOKENS = 1000;
    /** How much of what is left to 1 an acceptance is too probable by. */
    private static final double BIAS = 0.08;

    private final float[][] table = table();

    private static float[][] table() {
        Random random = new Random(8);
        float[][] table = new float[VOCAB][VOCAB];
        for (float[] row : table) {
            for (int id = 0; id < VOCAB; id++) {
                row[id] = (float) random.nextGaussian();
            }
        }
        return table;
    }

    /** Of the tokens behind a token: softmax over the most likely, by their ranks. */
    private double[] expected(int before, double temperature, int topK) {
        float[] logits = table[before];
        double[] weights = IntStream.range(0, VOCAB)
                .mapToDouble(id -> {
                    long larger = IntStream.range(0, VOCAB)
                            .filter(other -> logits[other] > logits[id])
                            .count();
                    return larger < topK ? Math.exp(logits[id] / temperature) : 0;
                })
                .toArray();
        double sum = DoubleStream.of(weights).sum();
        return DoubleStream.of(weights).map(weight -> weight / sum).toArray();
    }

    /** The model and its drafter, for one request at a time. */
    private final class Markov implements StepDevice {
        private final Random random = new Random(17);
        private final float[] logits = new float[(1 + DRAFTS) * VOCAB];
        private @Nullable Batch batch;

        @Override
        public void run(Batch next) {
            batch = next;
            int last = next.from(0) + next.count(0) - 1;
            row(0, next.part(0).request().token(last));
            for (int guess = 0; guess < next.guesses(0); guess++) {
                row(1 + guess, next.drafts(0).token(guess));
            }
        }

        private void row(int at, int token) {
            System.arraycopy(table[token], 0, logits, at * VOCAB, VOCAB);
        }

        @Override
        public void complete(Batch done) {
            Drafts drafts = done.drafts(0);
            drafts.clear();
            int known = done.part(0).request().known();
            int token = done.part(0).request().token(known - 1);
            for (int i = 0; i < done.wanted(0); i++) {
                token = random.nextInt(4) == 0 ? random.nextInt(VOCAB) : likeliest(token);
                drafts.add(token);
            }
        }

        private int likeliest(int before) {
            return IntStream.range(0, VOCAB).reduce(0, (a, b) -> table[before][b] > table[before][a] ? b : a);
        }

        /** The guess for the token that is drawn from a row's logits; -1 if there is none. */
        int guess(int row) {
            Batch running = Objects.requireNonNull(batch);
            return row < running.guesses(0) ? running.drafts(0).token(row) : -1;
        }

        @Override
        public float[] logits() {
            return logits;
        }

        @Override
        public int logitsAt(int i) {
            return i * VOCAB;
        }
    }

    /** Tokens by the token before, [0] drawn first in their rounds, [1] behind guesses that were right. */
    private long[][][] count(double temperature, int topK, double bias) {
        long[][][] counts = new long[2][VOCAB][VOCAB];
        Allocator allocator = new Allocator(
                new AllocatorConfig(KvGeometry.of(1, List.of(0), 64, 512, 40), KvPolicy.RESIDENT, 64, 16, 0, 1, 40, 0));
        Markov device = new Markov();
        Scheduler scheduler = new Scheduler(allocator, device, 1, 100, DRAFTS, () -> 0);
        BitSet candidates = new BitSet();
        candidates.set(0, VOCAB);
        double[][] expected = IntStream.range(0, VOCAB)
                .mapToObj(before -> expected(before, temperature, topK))
                .toArray(double[][]::new);
        Random planted = new Random(23);
        for (int text = 0; text < TEXTS; text++) {
            int[] prompt = {text % VOCAB};
            Sampling sampling = Sampling.at(temperature, text).withTopK(topK);
            Sampler sampler = new Sampler(sampling, prompt, candidates);
            int[] before = {prompt[0]};
            Draw draw = (logits, at) -> {
                int row = at / VOCAB;
                int drawn = sampler.next(logits, at);
                int guess = device.guess(row);
                boolean possible = guess >= 0 && expected[before[0]][guess] > 0;
                int token = possible && planted.nextDouble() < bias ? guess : drawn;
                counts[Math.min(row, 1)][before[0]][token]++;
                before[0] = token;
                return token;
            };
            scheduler.submit(new Sequence(prompt, 1 + TOKENS, id -> false, draw, id -> true));
            Progress progress = Progress.STEPPED;
            while (progress == Progress.STEPPED) {
                progress = scheduler.step();
            }
        }
        assertThat(Arrays.stream(counts[1]).flatMapToLong(Arrays::stream).sum()).isGreaterThan(TEXTS * TOKENS / 4);
        return counts;
    }

    private double chiSquare(long[][] counts, double temperature, int topK) {
        double chi = 0;
        for (int before = 0; before < VOCAB; before++) {
            double[] expected = expected(before, temperature, topK);
            long all = LongStream.of(counts[before]).sum();
            for (int id = 0; id < VOCAB; id++) {
                double mean = all * expected[id];
                double off = counts[before][id] - mean;
                chi += mean > 0 ? off * off / mean : counts[before][id] == 0 ? 0 : Double.POSITIVE_INFINITY;
            }
        }
        return chi;
    }

    /** Limits are those that one in a thousand exceeds by chance, with 6 x (choices - 1) degrees of freedom. */
    @ParameterizedTest
    @CsvSource({"1, 6, 59.7", "0.8, 3, 32.9"})
    void verifiedTokensHaveTheDistributionOfTheModel(double temperature, int topK, double limit) {
        long[][][] counts = count(temperature, topK, 0);
        long[][][] biased = count(temperature, topK, BIAS);
        for (int behind = 0; behind < 2; behind++) {
            assertThat(chiSquare(counts[behind], temperature, topK)).isLessThan(limit);
            assertThat(chiSquare(biased[behind], temperature, topK)).isGreaterThan(limit);
        }
    }
}
