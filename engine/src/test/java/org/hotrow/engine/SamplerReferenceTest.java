package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The sampler against one that sorts all candidates, token for token over several tokens, since penalties build up:
 * vocabularies from 1 to that of GLM-5.x, logits with ties, NaN and infinities, every mix of settings.
 */
class SamplerReferenceTest {
    private static final int[] SMALL = {1, 2, 3, 7, 31, 100, 1000};
    private static final int[] LARGE = {50_000, 154_880};
    private static final int TOKENS = 6;

    @Test
    void drawsWhatSortingAllCandidatesDraws() {
        Random random = new Random(17);
        int drawn = 0;
        for (int round = 0; round < 3000; round++) {
            drawn += assertSame(SMALL[round % SMALL.length], random);
        }
        for (int round = 0; round < 16; round++) {
            drawn += assertSame(LARGE[round % LARGE.length], random);
        }
        assertThat(drawn).as("tokens drawn other than the likeliest").isGreaterThan(2000);
    }

    /** Returns how many of the tokens were not the likeliest. */
    private static int assertSame(int vocab, Random random) {
        Sampling sampling = sampling(vocab, random);
        int[] prompt = random.ints(5, 0, vocab + 3).toArray();
        BitSet candidates = candidates(vocab, random);
        Sampler sampler = new Sampler(sampling, prompt, candidates);
        Reference reference = new Reference(sampling, prompt, candidates);
        int others = 0;
        for (int i = 0; i < TOKENS; i++) {
            float[] logits = logits(vocab, random, candidates);
            int expected = reference.next(logits);
            assertThat(sampler.next(logits, 0)).as("%s of %d", sampling, vocab).isEqualTo(expected);
            others += expected == reference.likeliest ? 0 : 1;
        }
        return others;
    }

    private static Sampling sampling(int vocab, Random random) {
        double[] temperatures = {0, 1e-3, 0.5, 1, 3, 1e9};
        int[] topKs = {0, 0, 1, 2, 40, vocab, vocab + 1};
        double[] topPs = {1, 1, 1e-9, 0.3, 0.95, 0.999999999};
        double[] minPs = {0, 0, 0.05, 0.5, 1};
        double[] repetitions = {1, 1, 1.3, 0.7};
        double[] presences = {0, 0, 0.8, -0.8};
        return new Sampling(
                temperatures[random.nextInt(temperatures.length)],
                topKs[random.nextInt(topKs.length)],
                topPs[random.nextInt(topPs.length)],
                minPs[random.nextInt(minPs.length)],
                repetitions[random.nextInt(repetitions.length)],
                presences[random.nextInt(presences.length)],
                presences[random.nextInt(presences.length)],
                random.nextLong());
    }

    private static BitSet candidates(int vocab, Random random) {
        BitSet candidates = new BitSet();
        candidates.set(0, vocab);
        for (int i = 0; i < vocab / 10; i++) {
            candidates.clear(random.nextInt(vocab));
        }
        return candidates;
    }

    private static float[] logits(int vocab, Random random, BitSet candidates) {
        float[] logits = new float[vocab];
        boolean coarse = random.nextBoolean();
        boolean broken = random.nextBoolean();
        for (int id = 0; id < vocab; id++) {
            float logit = (float) (2 * random.nextGaussian());
            logits[id] = coarse ? Math.round(logit) : logit;
            if (broken && random.nextInt(4) == 0) {
                logits[id] = random.nextBoolean() ? Float.NaN : Float.NEGATIVE_INFINITY;
            }
            if (!candidates.get(id)) {
                logits[id] = Float.POSITIVE_INFINITY;
            }
        }
        logits[candidates.nextSetBit(0)] = 0.5f;
        return logits;
    }

    /** The rules of {@link Sampler}, step by step over sorted lists. */
    private static final class Reference {
        private final Sampling sampling;
        private final SplittableRandom random;
        private final List<Integer> prompt;
        private final BitSet candidates;
        private final int[] times;
        private int likeliest = -1;

        Reference(Sampling sampling, int[] prompt, BitSet candidates) {
            this.sampling = sampling;
            this.prompt = Arrays.stream(prompt).boxed().toList();
            this.candidates = candidates;
            random = new SplittableRandom(sampling.seed());
            times = new int[candidates.length()];
        }

        int next(float[] logits) {
            double[] penalised = IntStream.range(0, times.length)
                    .mapToDouble(id -> penalised(id, logits[id]))
                    .toArray();
            List<Integer> order = candidates.stream()
                    .filter(id -> penalised[id] > Double.NEGATIVE_INFINITY)
                    .boxed()
                    .sorted(Comparator.comparingDouble((Integer id) -> -penalised[id])
                            .thenComparing(Comparator.naturalOrder()))
                    .limit(sampling.topK() == 0 ? Integer.MAX_VALUE : sampling.topK())
                    .toList();
            likeliest = order.getFirst();
            int token = sampling.temperature() == 0 ? likeliest : draw(order, penalised);
            times[token]++;
            return token;
        }

        private double penalised(int id, double logit) {
            double value = logit;
            if (times[id] > 0 || prompt.contains(id)) {
                value = value > 0 ? value / sampling.repetitionPenalty() : value * sampling.repetitionPenalty();
            }
            return times[id] == 0
                    ? value
                    : value - (sampling.presencePenalty() + sampling.frequencyPenalty() * times[id]);
        }

        private int draw(List<Integer> order, double[] penalised) {
            double[] weight = new double[times.length];
            order.forEach(id -> weight[id] = Math.exp((penalised[id] - penalised[likeliest]) / sampling.temperature()));
            double enough = sampling.topP()
                    * ascending(order).mapToDouble(id -> weight[id]).reduce(0, Double::sum);
            int cut = 0;
            double kept = 0;
            while (cut < order.size() && (cut == 0 || sampling.topP() == 1 || kept < enough)) {
                kept += weight[order.get(cut++)];
            }
            int[] drawn = ascending(order.subList(0, cut))
                    .filter(id -> weight[id] >= sampling.minP())
                    .toArray();
            double point = random.nextDouble()
                    * Arrays.stream(drawn).mapToDouble(id -> weight[id]).reduce(0, Double::sum);
            int i = 0;
            while (point >= weight[drawn[i]]) {
                point -= weight[drawn[i++]];
            }
            return drawn[i];
        }

        private static IntStream ascending(List<Integer> ids) {
            return ids.stream().mapToInt(Integer::intValue).sorted();
        }
    }
}
