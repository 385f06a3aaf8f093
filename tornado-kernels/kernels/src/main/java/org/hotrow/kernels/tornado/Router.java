package org.hotrow.kernels.tornado;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Chooses the experts of each row, without groups of experts.
 *
 * <pre>
 * s[e]     = sigmoid(logits[t][e])
 * chosen   = the k best by s[e] + bias[e]; equal ones: the lower id; NaN last
 * weight   = scaling * s[e] / (sum of chosen s + 1e-20)      not divided if not normalised
 *
 * counts   [8] int                  counts[0] = T rows
 * logits   [maxRows][experts] f32   at most 256 experts
 * bias     [experts] f32
 * expert   [maxRows][k] int         ascending
 * weight   [maxRows][k] f32
 *
 * floor    4 T experts + 4 experts bytes read, 8 T k written
 * </pre>
 *
 * A group per row, a work-item per expert: its rank is the number of experts that are better, its place in the list the
 * number of chosen ones with a lower id. The first k work-items write the list, neighbours next to each other.
 */
public final class Router {
    private static final int GROUP = 256;
    private static final float LEAST_SUM = 1e-20f;

    private Router() {}

    /** Rows that a launch covers, and how experts are chosen. */
    public record Shape(int maxRows, int experts, int k, boolean normalise, float scaling) {
        /** Checks that a group has all experts. */
        public Shape {
            if (maxRows < 1 || experts < 1 || experts > GROUP || k < 1 || k > experts) {
                throw new IllegalArgumentException("top " + k + " of " + experts + " experts: expected at most " + GROUP
                        + " experts, and 1 of them or more");
            }
            Elements.count("logits", maxRows, experts);
        }

        /** Bytes that DRAM must move for {@code rows} rows. */
        public long floorBytes(int rows) {
            return 4L * rows * experts + 4L * experts + 8L * rows * k;
        }
    }

    /** The definition, in doubles but for what is compared. */
    public static void reference(int rows, Shape shape, float[] logits, float[] bias, int[] expert, float[] weight) {
        int k = shape.k();
        for (int t = 0; t < rows; t++) {
            float[] s = new float[shape.experts()];
            Float[] biased = new Float[shape.experts()];
            for (int e = 0; e < s.length; e++) {
                s[e] = (float) (1 / (1 + Math.exp(-logits[t * s.length + e])));
                float value = s[e] + bias[e];
                biased[e] = Float.isNaN(value) ? -Float.MAX_VALUE : value;
            }
            int[] chosen = IntStream.range(0, s.length)
                    .boxed()
                    .sorted(Comparator.<Integer, Float>comparing(e -> biased[e])
                            .reversed()
                            .thenComparing(Comparator.naturalOrder()))
                    .limit(k)
                    .mapToInt(Integer::intValue)
                    .sorted()
                    .toArray();
            double sum = Arrays.stream(chosen).mapToDouble(e -> s[e]).sum() + LEAST_SUM;
            for (int i = 0; i < k; i++) {
                expert[t * k + i] = chosen[i];
                weight[t * k + i] = (float) (s[chosen[i]] / (shape.normalise() ? sum : 1) * shape.scaling());
            }
        }
    }

    /** A group per row; {@code normalise} is 1 if weights are divided by their sum. */
    static void choose(
            KernelContext context,
            IntArray counts,
            FloatArray logits,
            FloatArray bias,
            IntArray expert,
            FloatArray weight,
            int experts,
            int k,
            int normalise,
            float scaling) {
        float[] s = context.allocateFloatLocalArray(GROUP);
        float[] biased = context.allocateFloatLocalArray(GROUP);
        int[] chosen = context.allocateIntLocalArray(GROUP);
        int[] list = context.allocateIntLocalArray(GROUP);
        int e = context.localIdx;
        int row = context.groupIdx;
        int all = 0;
        if (row < counts.get(0)) {
            all = experts;
        }
        if (e < all) {
            s[e] = sigmoid(logits.get(row * experts + e));
            biased[e] = numberOrLeast(s[e] + bias.get(e));
        }
        context.localBarrier();
        int better = 0;
        if (e < all) {
            for (int other = 0; other < all; other++) {
                if (biased[other] > biased[e]) {
                    better = better + 1;
                }
                if (biased[other] == biased[e] && other < e) {
                    better = better + 1;
                }
            }
        }
        chosen[e] = 0;
        if (e < all && better < k) {
            chosen[e] = 1;
        }
        context.localBarrier();
        int place = 0;
        float sum = 0;
        for (int other = 0; other < all; other++) {
            if (chosen[other] == 1) {
                sum = sum + s[other];
                if (other < e) {
                    place = place + 1;
                }
            }
        }
        if (chosen[e] == 1) {
            list[place] = e;
        }
        context.localBarrier();
        int id = 0;
        float share = 0;
        if (all > 0 && e < k) {
            id = list[e];
            share = share(s[id], sum, normalise) * scaling;
        }
        // Right under a condition, so that TornadoVM sees that padding keeps what it has.
        if (all > 0 && e < k) {
            expert.set(row * k + e, id);
            weight.set(row * k + e, share);
        }
    }

    /** In double precision, since a last bit decides between experts. */
    private static float sigmoid(float logit) {
        return (float) (1 / (1 + Math.exp(-(double) logit)));
    }

    private static float numberOrLeast(float value) {
        float number = value;
        if (Float.isNaN(value)) {
            number = -Float.MAX_VALUE;
        }
        return number;
    }

    private static float share(float s, float sum, int normalise) {
        float share = s;
        if (normalise == 1) {
            share = s / (sum + LEAST_SUM);
        }
        return share;
    }

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            IntArray counts,
            FloatArray logits,
            FloatArray bias,
            IntArray expert,
            FloatArray weight,
            Shape shape) {
        Grids.groups(graph, grids, task, shape.maxRows(), 1, GROUP);
        return graph.task(
                task,
                Router::choose,
                Grids.CONTEXT,
                counts,
                logits,
                bias,
                expert,
                weight,
                shape.experts(),
                shape.k(),
                shape.normalise() ? 1 : 0,
                shape.scaling());
    }
}
