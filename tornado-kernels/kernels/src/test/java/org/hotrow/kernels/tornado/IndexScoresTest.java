package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.SplittableRandom;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.IndexScores.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The kernel against double sums over the decoded keys; what no request has is NaN bytes. */
class IndexScoresTest {
    private static final int K = 5;
    private static final int[] POSITIONS = {63, 0, 64, K - 1, K, 0, 300, 319};
    private static final int[] SEATS = {2, -1, 0, 1, 1, -1, 3, 2};

    @ParameterizedTest
    @CsvSource({"32, 128, FP8", "64, 128, FP8", "8, 128, BF16", "9, 72, BF16", "64, 128, FP32", "1, 8, FP32"})
    void agreesWithDoubleSums(int heads, int width, KvDtype dtype) {
        World world = new World(heads, width, dtype);
        try (Device.Prepared graph = world.prepare()) {
            int[] before = world.scores.toHeapArray();
            graph.run();
            world.assertScores();
            world.assertUnchangedBehind(before);
            before = world.scores.toHeapArray();
            world.endEarlier();
            graph.run();
            world.assertScores();
            world.assertUnchangedBehind(before);
        }
    }

    /** Top-k takes a NaN for the lowest score, so it must not turn into 0. */
    @Test
    void aKeyOfNanHasNanForItsScore() {
        World world = new World(32, 128, KvDtype.FP8);
        int lost = 130;
        world.format.write(world.values(Float.NaN), 0, world.slab.getSegment(), world.pageAt(3, lost), lost % 64);
        try (Device.Prepared graph = world.prepare()) {
            graph.run();
        }
        assertThat(world.score(6, lost)).isNaN();
        assertThat(world.score(6, lost + 1)).isNotNaN();
    }

    @Test
    void movesKeysAndScoresOnce() {
        World world = new World(32, 128, KvDtype.FP8);
        Device.Traffic traffic = Device.meter("score", world::append, world.arrays());
        long floor = 0;
        for (int token = 0; token < POSITIONS.length; token++) {
            boolean scored = SEATS[token] >= 0 && POSITIONS[token] >= K;
            floor += scored ? world.shape.floorBytes(POSITIONS[token] / 64 * 64 + 63) : 0;
        }
        // Pages are read whole, and the tables are 2 KB.
        assertThat(traffic.uniqueBytes()).isLessThanOrEqualTo(floor * 105 / 100 + 2048);
        assertThat(traffic.sectorUse()).isGreaterThan(0.9);
    }

    @Test
    void refusesShapesThatTheKernelCannotDo() {
        assertThatThrownBy(() -> new Shape(1, 65, 128, K, 64, 1, 1, KvDtype.FP8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65 heads");
        assertThatThrownBy(() -> new Shape(1, 64, 129, K, 64, 1, 1, KvDtype.FP8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("129 values");
        assertThatThrownBy(() -> new Shape(1, 64, 128, K, 65, 1, 1, KvDtype.FP8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65 positions: 1 index blocks of 1 pages hold 64");
    }

    private static final class World {
        private static final int ANCHOR = 1;
        private static final int ANCHORS = 3;
        private static final int PAGES = 2;
        private static final int INDEX_BLOCKS = 3;
        private static final int MOST = 330;
        private static final int SEATS_HELD = 4;
        private static final float SCALE = 1 / 64f;

        private final Shape shape;
        private final IndexFormat format;
        private final SplittableRandom random;
        private final int blockBytes;
        private final LongArray slab;
        private final IntArray table = new IntArray(SEATS_HELD * INDEX_BLOCKS);
        private final FloatArray query;
        private final FloatArray weights;
        private final IntArray request = IntArray.fromArray(SEATS);
        private final IntArray position = IntArray.fromArray(POSITIONS);
        private final IntArray scores;
        private final IndexScores.Arrays arrays;

        World(int heads, int width, KvDtype dtype) {
            shape = new Shape(POSITIONS.length, heads, width, K, MOST, INDEX_BLOCKS, PAGES, dtype);
            format = IndexFormat.of(dtype, width);
            random = new SplittableRandom(heads * 1000L + width);
            blockBytes = PAGES * ANCHORS * format.pageBytes() + 40;
            int blocks = 1 + SEATS_HELD * INDEX_BLOCKS;
            slab = new LongArray(blocks * blockBytes / Long.BYTES);
            slab.init(-1L);
            for (int i = 0; i < table.getSize(); i++) {
                table.set(i, 1 + i * 5 % table.getSize());
            }
            for (int seat = 0; seat < SEATS_HELD; seat++) {
                for (int position = 0; position <= last(seat); position++) {
                    float[] key = values((float) random.nextGaussian());
                    format.write(key, 0, slab.getSegment(), pageAt(seat, position), position % 64);
                }
            }
            query = new FloatArray(shape.tokens() * heads * width);
            for (int i = 0; i < query.getSize(); i++) {
                query.set(i, (float) random.nextGaussian());
            }
            weights = new FloatArray(shape.tokens() * heads);
            for (int i = 0; i < weights.getSize(); i++) {
                weights.set(i, (float) random.nextGaussian());
            }
            scores = new IntArray(shape.tokens() * MOST);
            scores.init(Float.floatToRawIntBits(77f));
            arrays = new IndexScores.Arrays(
                    query,
                    weights,
                    request,
                    position,
                    table,
                    slab,
                    IntArray.fromElements(ANCHOR, ANCHORS, blockBytes / Long.BYTES),
                    Fp8Codes.table(),
                    Exponents.table(),
                    scores);
        }

        /** The last position of a seat that has a key. */
        private static int last(int seat) {
            int last = 0;
            for (int token = 0; token < POSITIONS.length; token++) {
                last = SEATS[token] == seat ? Math.max(last, POSITIONS[token]) : last;
            }
            return last;
        }

        float[] values(float size) {
            float[] values = new float[shape.width()];
            for (int i = 0; i < values.length; i++) {
                values[i] = size * (float) random.nextGaussian() * (random.nextInt(40) == 0 ? 30 : 1);
            }
            return values;
        }

        long pageAt(int seat, int position) {
            int page = position / 64;
            int block = table.get(seat * INDEX_BLOCKS + page / PAGES);
            return (long) block * blockBytes + ((long) page % PAGES * ANCHORS + ANCHOR) * format.pageBytes();
        }

        /** Tokens at fewer positions, and other queries, so that what is written shows. */
        void endEarlier() {
            for (int token = 0; token < POSITIONS.length; token++) {
                position.set(token, Math.max(0, POSITIONS[token] - 40));
            }
            for (int i = 0; i < query.getSize(); i++) {
                query.set(i, 0.5f - query.get(i));
            }
        }

        void append(TaskGraph graph, GridScheduler grids) {
            IndexScores.append(graph, grids, "score", shape, SCALE, arrays);
        }

        TornadoNativeArray[] arrays() {
            return new TornadoNativeArray[] {
                query,
                weights,
                request,
                position,
                table,
                slab,
                arrays.anchor(),
                arrays.codes(),
                arrays.exponents(),
                scores
            };
        }

        Device.Prepared prepare() {
            return Device.prepare(this::append, arrays());
        }

        float score(int token, int position) {
            return Float.intBitsToFloat(scores.get(token * MOST + position));
        }

        void assertScores() {
            for (int token = 0; token < POSITIONS.length; token++) {
                assertToken(token, scored(token));
            }
        }

        void assertUnchangedBehind(int[] before) {
            for (int i = 0; i < before.length; i++) {
                if (i % MOST >= scored(i / MOST)) {
                    assertThat(scores.get(i))
                            .as("token %d, position %d", i / MOST, i % MOST)
                            .isEqualTo(before[i]);
                }
            }
        }

        private int scored(int token) {
            return SEATS[token] < 0 || position.get(token) < K ? 0 : position.get(token) + 1;
        }

        private void assertToken(int token, int n) {
            int width = shape.width();
            float[] keys = new float[n * width];
            for (int s = 0; s < n; s++) {
                format.read(slab.getSegment(), pageAt(SEATS[token], s), s % 64, keys, s * width);
            }
            float[] q = new float[shape.heads() * width];
            float[] w = new float[shape.heads()];
            for (int i = 0; i < q.length; i++) {
                q[i] = query.get(token * q.length + i);
            }
            for (int h = 0; h < w.length; h++) {
                w[h] = weights.get(token * w.length + h);
            }
            double[] expected = IndexScores.reference(q, w, keys, n, width, SCALE);
            for (int s = 0; s < n; s++) {
                double size = 0;
                for (int i = 0; i < q.length; i++) {
                    size += Math.abs((double) q[i] * keys[s * width + i % width] * w[i / width] * SCALE);
                }
                double bound = 8 * Math.ulp(1f) * size;
                assertThat((double) score(token, s))
                        .as("token %d, position %d", token, s)
                        .isBetween(expected[s] - bound, expected[s] + bound);
            }
        }
    }
}
