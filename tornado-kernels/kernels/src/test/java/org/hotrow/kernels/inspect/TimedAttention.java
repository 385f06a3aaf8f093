package org.hotrow.kernels.inspect;

import java.util.Arrays;
import java.util.List;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.TopK;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.Fp8Codes;
import org.hotrow.kernels.tornado.IndexScores;
import org.hotrow.kernels.tornado.RadixTopK;
import org.hotrow.kernels.tornado.SoftmaxWeights;
import org.hotrow.kernels.tornado.SparseMla;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Selection and attention, timed. The references see a token or two of each, and of long contexts some positions. */
final class TimedAttention {
    private static final int LAYER = 1;
    private static final int SAMPLED = 257;
    private static final float INDEX_SCALE = 0.0156f;
    private static final float ATTENTION_SCALE = 0.0625f;
    /** Ends of allowed deviations: eight roundings. */
    private static final double ROUNDINGS = 8;

    private TimedAttention() {}

    static Timed indexScores(Sizes sizes, int tokens, int positions) {
        int indexBlocks = Math.ceilDiv(positions, Sizes.INDEX_PAGES * IndexFormat.TOKENS);
        IndexScores.Shape shape = new IndexScores.Shape(
                tokens,
                Sizes.INDEX_HEADS,
                Sizes.INDEX_WIDTH,
                sizes.topK(),
                positions,
                indexBlocks,
                Sizes.INDEX_PAGES,
                KvDtype.FP8);
        IntArray table = new IntArray(tokens * indexBlocks);
        for (int i = 0; i < table.getSize(); i++) {
            table.set(i, table.getSize() - i);
        }
        IndexScores.Arrays arrays = new IndexScores.Arrays(
                new FloatArray(tokens * Sizes.INDEX_HEADS * Sizes.INDEX_WIDTH),
                new FloatArray(tokens * Sizes.INDEX_HEADS),
                each(tokens, 0, 1),
                each(tokens, positions - 1, 0),
                table,
                new LongArray((table.getSize() + 1) * Sizes.BLOCK_LONGS),
                IntArray.fromElements(0, 1, Sizes.BLOCK_LONGS),
                Fp8Codes.table(),
                Exponents.table(),
                new IntArray(tokens * positions));
        Fill.gaussian(arrays.query(), 1, 1);
        Fill.gaussian(arrays.weights(), 1, 2);
        arrays.slab().init(-1L);
        long[] pages = new long[tokens * indexBlocks * Sizes.INDEX_PAGES];
        Arrays.setAll(pages, i -> page(table, i));
        Fill.indexPages(arrays.slab().getSegment(), pages, 3);
        return new Timed(
                at(tokens) + ", context " + positions,
                AttentionLaunches.indexScores("index-scores", positions + " positions", shape, arrays, positions - 1),
                0,
                List.of(),
                List.of(Timed.Written.all(arrays.scores())),
                2 * SAMPLED,
                () -> scoresProblem(shape, arrays, positions));
    }

    /** The byte where the i-th page of all requests begins. */
    private static long page(IntArray table, int i) {
        long block = table.get(i / Sizes.INDEX_PAGES);
        return Long.BYTES * (block * Sizes.BLOCK_LONGS + (long) (i % Sizes.INDEX_PAGES) * Production.INDEX_PAGE_LONGS);
    }

    private static String scoresProblem(IndexScores.Shape shape, IndexScores.Arrays arrays, int positions) {
        int queryFloats = Sizes.INDEX_HEADS * Sizes.INDEX_WIDTH;
        for (int token : List.of(0, shape.tokens() - 1)) {
            float[] query = Fill.floats(arrays.query(), token * queryFloats, queryFloats);
            float[] weights = Fill.floats(arrays.weights(), token * Sizes.INDEX_HEADS, Sizes.INDEX_HEADS);
            for (int sample = 0; sample < SAMPLED; sample++) {
                int s = (int) ((long) sample * (positions - 1) / (SAMPLED - 1));
                int page = token * shape.indexBlocks() * Sizes.INDEX_PAGES + s / IndexFormat.TOKENS;
                float[] key =
                        Fill.key(arrays.slab().getSegment(), page(arrays.indexTable(), page), s % IndexFormat.TOKENS);
                double expected = IndexScores.reference(query, weights, key, 1, key.length, INDEX_SCALE)[0];
                double size = IndexScores.reference(
                        Fill.magnitudes(query),
                        Fill.magnitudes(weights),
                        Fill.magnitudes(key),
                        1,
                        key.length,
                        INDEX_SCALE)[0];
                double actual = Float.intBitsToFloat(arrays.scores().get(token * positions + s));
                if (!(Math.abs(actual - expected) <= ROUNDINGS * Math.ulp(1f) * size)) {
                    return "token %d, position %d: %s, expected %s".formatted(token, s, actual, expected);
                }
            }
        }
        return "";
    }

    static Timed topK(Sizes sizes, int tokens, int positions) {
        RadixTopK.Shape shape = new RadixTopK.Shape(tokens, positions, sizes.topK());
        Launch launch = AttentionLaunches.topK("top-k", sizes.topK() + " of " + positions, shape, positions - 1);
        IntArray scores = (IntArray) launch.arrays().getFirst();
        IntArray selected = (IntArray) launch.arrays().getLast();
        return new Timed(
                at(tokens) + ", context " + positions,
                launch,
                0,
                List.of(),
                List.of(Timed.Written.all(selected)),
                sizes.topK(),
                () -> selectionProblem(shape, scores, selected));
    }

    private static String selectionProblem(RadixTopK.Shape shape, IntArray scores, IntArray selected) {
        int token = shape.tokens() - 1;
        float[] values = new float[shape.mostTokens()];
        for (int i = 0; i < values.length; i++) {
            values[i] = Float.intBitsToFloat(scores.get(token * values.length + i));
        }
        int[] expected = new int[shape.k()];
        TopK.reference(values, values.length, shape.k(), expected, 0);
        for (int i = 0; i < expected.length; i++) {
            int actual = selected.get(token * shape.k() + i);
            if (actual != expected[i]) {
                return "token %d, entry %d: %d, expected %d".formatted(token, i, actual, expected[i]);
            }
        }
        return "";
    }

    static Timed sparseMla(Sizes sizes, int tokens, boolean tensor) {
        SparseMla.Shape shape = sizes.attention(tokens);
        int k = sizes.topK();
        IntArray rows = new IntArray(tokens * k);
        for (int i = 0; i < rows.getSize(); i++) {
            // Anywhere in the request's hot region, and nowhere twice.
            rows.set(i, 64 + i / k * sizes.slots() + 2 * (i % k * 811 % k));
        }
        SparseMla.Arrays arrays = new SparseMla.Arrays(
                new FloatArray(tokens * shape.heads() * shape.width()),
                rows,
                new LongArray((Math.ceilDiv(tokens * sizes.slots(), 64) + 1) * Sizes.BLOCK_LONGS),
                IntArray.fromElements(LAYER, Sizes.LAYERS),
                IntArray.fromElements(0, tokens),
                Fp8Codes.table(),
                Exponents.table(),
                new FloatArray(tokens * shape.heads() * shape.latent()));
        Fill.gaussian(arrays.query(), 0.5, 4);
        arrays.slab().init(-1L);
        long[] offsets = new long[rows.getSize()];
        Arrays.setAll(offsets, i -> rowAt(rows.get(i), LAYER));
        Fill.rows(arrays.slab().getSegment(), offsets, 5);
        Launch launch = tensor
                ? AttentionLaunches.sparseMlaTensor("sparse-mla-tensor", shape, arrays)
                : AttentionLaunches.sparseMla("sparse-mla", shape, arrays);
        // The tensor version rounds queries and weights to bf16.
        double rounding = tensor ? 0x1p-9 / 4 : Math.ulp(1f);
        return new Timed(
                at(tokens),
                launch,
                0,
                List.of(),
                List.of(Timed.Written.all(arrays.out())),
                shape.heads() * shape.latent(),
                () -> attentionProblem(shape, arrays, rounding));
    }

    private static String attentionProblem(SparseMla.Shape shape, SparseMla.Arrays arrays, double rounding) {
        int token = shape.tokens() - 1;
        int width = shape.width();
        int latent = shape.latent();
        float[] keys = new float[shape.k() * width];
        for (int j = 0; j < shape.k(); j++) {
            long at = rowAt(arrays.rows().get(token * shape.k() + j), LAYER);
            Fill.ROWS.read(arrays.slab().getSegment(), at, keys, j * width);
        }
        float[] query = Fill.floats(arrays.query(), token * shape.heads() * width, shape.heads() * width);
        double[] expected =
                SparseMla.reference(query, keys, shape.k(), shape.heads(), latent, shape.rope(), ATTENTION_SCALE);
        for (int head = 0; head < shape.heads(); head++) {
            SoftmaxWeights weights = SoftmaxWeights.of(query, head * width, keys, shape.k(), width, ATTENTION_SCALE);
            double share = Math.expm1(ROUNDINGS * rounding * (1 + weights.terms()));
            for (int d = 0; d < latent; d++) {
                int i = head * latent + d;
                double actual = arrays.out().get(token * shape.heads() * latent + i);
                if (!(Math.abs(actual - expected[i]) <= weights.size(keys, width, d) * share)) {
                    return "token %d, head %d, value %d: %s, expected %s"
                            .formatted(token, head, d, actual, expected[i]);
                }
            }
        }
        return "";
    }

    /** The byte where a row begins. */
    static long rowAt(int row, int layer) {
        return ((row / 64 * (long) Sizes.LAYERS + layer) * 64 + row % 64) * Sizes.ROW_BYTES;
    }

    static String at(int tokens) {
        return "batch " + tokens;
    }

    static IntArray each(int count, int first, int step) {
        IntArray array = new IntArray(count);
        for (int i = 0; i < count; i++) {
            array.set(i, first + i * step);
        }
        return array;
    }
}
