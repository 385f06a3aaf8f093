package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;
import org.hotrow.kernels.tornado.SparseMla.Arrays;
import org.hotrow.kernels.tornado.SparseMla.Shape;
import org.hotrow.kernels.tornado.SparseMlaSplit.Partials;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** All variants against double sums over the decoded rows; what no list names is NaN bytes. */
class SparseMlaTest {
    private static final int LAYER = 1;
    private static final int LAYERS = 3;
    private static final float POISON = 77f;

    enum Variant {
        PLAIN(Math.ulp(1f)),
        SPLIT(Math.ulp(1f)),
        /** Query and weights are rounded to bf16. */
        TENSOR(0x1p-9 / 4);

        /** Rounding step of the numbers that are multiplied. */
        final double eps;

        Variant(double eps) {
            this.eps = eps;
        }
    }

    record Case(Variant variant, Shape shape) {}

    static List<Case> cases() {
        List<Case> cases = new ArrayList<>();
        for (Variant variant : List.of(Variant.PLAIN, Variant.SPLIT)) {
            cases.add(new Case(variant, new Shape(6, 3, 512, 64, 70, KvDtype.FP8)));
            cases.add(new Case(variant, new Shape(6, 4, 512, 64, 1, KvDtype.FP8)));
            cases.add(new Case(variant, new Shape(6, 20, 40, 8, 65, KvDtype.BF16)));
            cases.add(new Case(variant, new Shape(6, 9, 136, 8, 64, KvDtype.BF16)));
            cases.add(new Case(variant, new Shape(6, 5, 72, 8, 63, KvDtype.FP32)));
            cases.add(new Case(variant, new Shape(6, 8, 16, 0, 130, KvDtype.FP32)));
        }
        if (Device.hasMatrices()) {
            cases.add(new Case(Variant.TENSOR, new Shape(6, 64, 512, 64, 70, KvDtype.FP8)));
            cases.add(new Case(Variant.TENSOR, new Shape(6, 64, 512, 64, 33, KvDtype.BF16)));
        }
        return cases;
    }

    /** hisparse bug 42: outputs of short and padded rows were stale. */
    @ParameterizedTest
    @MethodSource("cases")
    void outputsOfEmptyListsAreZeroAndNotThoseOfTheLastStep(Case test) {
        Shape shape = test.shape;
        World world = new World(shape, 5);
        world.rows.init(-1);
        try (Device.Prepared graph = world.prepare(test.variant)) {
            world.span(0, shape.tokens());
            graph.run();
        }

        assertThat(world.out.toHeapArray()).containsOnly(0f);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void agreesWithDoubleSumsAndHasTheSameBitsAlone(Case test) {
        Shape shape = test.shape;
        int floats = shape.heads() * shape.latent();
        World world = new World(shape, shape.k() * 31 + shape.heads());
        try (Device.Prepared graph = world.prepare(test.variant)) {
            world.span(0, shape.tokens());
            graph.run();
            for (int token = 0; token < shape.tokens(); token++) {
                world.assertToken(token, test.variant.eps);
            }
            for (int i = 0; i < floats; i++) {
                assertThat(world.out.get(World.EMPTY * floats + i)).isZero();
            }
            float[] together = world.out.toHeapArray();
            world.turnQueriesOfAllBut(World.HOLES);
            world.span(World.HOLES, World.HOLES + 1);
            graph.run();
            assertThat(world.out.toHeapArray()).containsExactly(together);
            world.spoil();
            world.span(0, 2);
            graph.run();
            world.assertSpoiled();
        }
    }

    /** Splits are added in one group if there are tokens enough. */
    @ParameterizedTest
    @EnumSource
    void bitsDoNotDependOnTheNumberOfTokens(KvDtype dtype) {
        int latent = dtype == KvDtype.FP8 ? 512 : 16;
        World many = new World(new Shape(64, 16, latent, 64, 300, dtype), 5);
        World few = many.first(4);
        for (World world : List.of(many, few)) {
            world.leaveOutEntries(1, 128, 256);
            world.span(0, 4);
            try (Device.Prepared graph = world.prepare(Variant.SPLIT)) {
                graph.run();
            }
        }
        assertThat(SparseMlaSplit.parts(many.shape)).isEqualTo(1);
        assertThat(SparseMlaSplit.parts(few.shape)).isEqualTo(3);
        for (int i = 0; i < few.out.getSize(); i++) {
            assertThat(many.out.get(i)).as("value %d", i).isEqualTo(few.out.get(i));
        }
        for (int token = 0; token < few.shape.tokens(); token++) {
            few.assertToken(token, Variant.SPLIT.eps);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void bitsDoNotDependOnTheHeadsOfAGroup(int groupHeads) {
        Device.assumeWarps();
        World world = new World(new Shape(2, 64, 512, 64, 130, KvDtype.FP8), 5);
        world.span(0, 2);
        try (Device.Prepared graph = world.prepare(Variant.TENSOR)) {
            graph.run();
        }
        float[] sixteen = world.out.toHeapArray();
        try (Device.Prepared graph = Device.prepare(world.tensorPiece(groupHeads), world.arrays())) {
            graph.run();
        }
        assertThat(world.out.toHeapArray()).containsExactly(sixteen);
        world.assertToken(0, Variant.TENSOR.eps);
    }

    @Test
    void movesRowsAndPartialResultsOnce() {
        World world = new World(new Shape(1, 16, 512, 64, 256, KvDtype.FP8), 5);
        world.span(0, 1);
        Device.Traffic attend = world.meter(Variant.SPLIT, "attend");
        Device.Traffic combine = world.meter(Variant.SPLIT, "attend-combine");
        long partials = Partials.of(world.shape).partialBytes();
        assertThat(attend.uniqueBytes() + combine.uniqueBytes())
                .isLessThanOrEqualTo(world.shape.floorBytes() * 105 / 100 + partials);
        assertThat(attend.sectorUse()).isGreaterThan(0.9);
        assertThat(combine.sectorUse()).isGreaterThan(0.9);
    }

    @Test
    void refusesShapesThatTheKernelsCannotDo() {
        assertThatThrownBy(() -> new Shape(1, 65, 512, 64, 8, KvDtype.FP8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65 heads");
        assertThatThrownBy(() -> new Shape(1, 8, 60, 64, 8, KvDtype.FP32))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("multiples of 8");
        assertThatThrownBy(() -> new Shape(1, 8, 256, 64, 8, KvDtype.FP8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 256 and 64");
    }

    /** A slab with lists of rows in it. */
    private static final class World {
        static final int EMPTY = 2;
        static final int HOLES = 3;
        private static final int BLOCKS = 7;
        private static final float SCALE = 1 / 16f;

        private final Shape shape;
        private final RowFormat format;
        private final SplittableRandom random;
        private final LongArray slab;
        private final FloatArray query;
        private final IntArray rows;
        private final IntArray span = new IntArray(2);
        private final FloatArray out;
        private final Arrays arrays;
        private final Partials partials;
        private final IntArray codes = SparseMlaTensor.codes();
        private final SparseMlaTensor.Scratch scratch;

        World(Shape shape, long seed) {
            this.shape = shape;
            random = new SplittableRandom(seed);
            format = RowFormat.of(shape.dtype(), shape.latent(), shape.rope());
            slab = new LongArray(BLOCKS * LAYERS * 64 * format.rowBytes() / Long.BYTES);
            slab.init(-1L);
            query = new FloatArray(shape.tokens() * shape.heads() * shape.width());
            for (int i = 0; i < query.getSize(); i++) {
                query.set(i, (float) (random.nextGaussian() * (i / shape.width() % 3 == 1 ? 60 : 0.5)));
            }
            rows = new IntArray(shape.tokens() * shape.k());
            out = new FloatArray(shape.tokens() * shape.heads() * shape.latent());
            IntArray layer = IntArray.fromElements(LAYER, LAYERS);
            arrays = new Arrays(query, rows, slab, layer, span, Fp8Codes.table(), Exponents.table(), out);
            partials = Partials.of(shape);
            scratch = SparseMlaTensor.Scratch.of(shape);
            for (int token = 0; token < shape.tokens(); token++) {
                fillList(token);
            }
        }

        /** These alone, in a step of its own. */
        World first(int tokens) {
            World world = new World(
                    new Shape(tokens, shape.heads(), shape.latent(), shape.rope(), shape.k(), shape.dtype()), 0);
            for (int i = 0; i < world.query.getSize(); i++) {
                world.query.set(i, query.get(i));
            }
            for (int i = 0; i < world.rows.getSize(); i++) {
                world.rows.set(i, rows.get(i));
            }
            for (int i = 0; i < slab.getSize(); i++) {
                world.slab.set(i, slab.get(i));
            }
            return world;
        }

        void leaveOutEntries(int token, int from, int to) {
            for (int i = from; i < to; i++) {
                rows.set(token * shape.k() + i, -1);
            }
        }

        /** Full, all but one, empty, with holes, one row, half. */
        private void fillList(int token) {
            int k = shape.k();
            int[] lengths = {k, k - 1, 0, k, 1, (k + 1) / 2};
            for (int i = 0; i < k; i++) {
                boolean hole = token == HOLES && random.nextInt(3) == 0;
                int row = i >= lengths[token % lengths.length] || hole ? -1 : 64 + random.nextInt((BLOCKS - 1) * 64);
                rows.set(token * k + i, row);
                if (row >= 0) {
                    writeRow(row);
                }
            }
        }

        private void writeRow(int row) {
            float[] values = new float[shape.width()];
            for (int i = 0; i < values.length; i++) {
                values[i] = (float) (random.nextGaussian() * (random.nextInt(50) == 0 ? 20 : 1));
                values[i] = random.nextInt(20) == 0 ? -0f : values[i];
            }
            format.write(values, 0, slab.getSegment(), at(row));
        }

        private long at(int row) {
            return ((row / 64 * (long) LAYERS + LAYER) * 64 + row % 64) * format.rowBytes();
        }

        void span(int from, int to) {
            span.set(0, from);
            span.set(1, to);
        }

        /** The NaN that GPUs compute in a query of the first token, and a row that was never written for the second. */
        void spoil() {
            query.set(shape.width() + 1, Float.intBitsToFloat(Integer.MAX_VALUE));
            rows.set(shape.k(), 5);
        }

        void assertSpoiled() {
            for (int i = 0; i < 2 * shape.heads() * shape.latent(); i++) {
                boolean spoiled = i / shape.latent() == 1 || i / shape.latent() >= shape.heads();
                assertThat(Float.isNaN(out.get(i))).as("value %d", i).isEqualTo(spoiled);
            }
        }

        void turnQueriesOfAllBut(int token) {
            int floats = shape.heads() * shape.width();
            for (int i = 0; i < query.getSize(); i++) {
                query.set(i, i / floats == token ? query.get(i) : 0.5f - query.get(i));
            }
        }

        Device.Prepared prepare(Variant variant) {
            return Device.prepare(piece(variant), arrays());
        }

        Device.Traffic meter(Variant variant, String task) {
            return Device.meter(task, piece(variant), arrays());
        }

        private Device.Piece piece(Variant variant) {
            return (graph, grids) -> {
                switch (variant) {
                    case PLAIN -> SparseMla.append(graph, grids, "attend", shape, SCALE, arrays);
                    case SPLIT -> SparseMlaSplit.append(graph, grids, "attend", shape, SCALE, arrays, partials);
                    case TENSOR -> SparseMlaTensor.append(graph, grids, "attend", shape, SCALE, arrays, codes, scratch);
                }
            };
        }

        Device.Piece tensorPiece(int groupHeads) {
            return (graph, grids) ->
                    SparseMlaTensor.append(graph, grids, "attend", shape, groupHeads, SCALE, arrays, codes, scratch);
        }

        TornadoNativeArray[] arrays() {
            out.init(POISON);
            scratch.scores().init(Float.NaN);
            for (Partials of : List.of(partials, scratch.partials())) {
                of.most().init(Float.NaN);
                of.sum().init(Float.NaN);
                of.partial().init(Float.NaN);
            }
            return new TornadoNativeArray[] {
                query,
                rows,
                slab,
                arrays.layer(),
                span,
                arrays.codes(),
                arrays.exponents(),
                codes,
                scratch.queryBits(),
                scratch.scores(),
                scratch.weights(),
                scratch.partials().most(),
                scratch.partials().sum(),
                scratch.partials().partial(),
                partials.most(),
                partials.sum(),
                partials.partial(),
                out
            };
        }

        void assertToken(int token, double eps) {
            int width = shape.width();
            int floats = shape.heads() * shape.latent();
            float[] keys = new float[shape.k() * width];
            int n = 0;
            for (int i = 0; i < shape.k(); i++) {
                int row = rows.get(token * shape.k() + i);
                if (row >= 0) {
                    format.read(slab.getSegment(), at(row), keys, n++ * width);
                }
            }
            float[] q = new float[shape.heads() * width];
            for (int i = 0; i < q.length; i++) {
                q[i] = query.get(token * q.length + i);
            }
            double[] expected = SparseMla.reference(q, keys, n, shape.heads(), shape.latent(), shape.rope(), SCALE);
            for (int head = 0; head < shape.heads(); head++) {
                SoftmaxWeights weights = SoftmaxWeights.of(q, head * width, keys, n, width, SCALE);
                for (int d = 0; d < shape.latent(); d++) {
                    int i = head * shape.latent() + d;
                    // Roundings of a score are in the exponent; what underflows is lost whole. A lone row has weight 1.
                    double terms = n == 1 ? 0 : weights.terms();
                    double bound = weights.size(keys, width, d) * Math.expm1(8 * eps * (1 + terms)) + 1e-35;
                    double actual = out.get(token * floats + i);
                    // An assertion each would take longer than the kernels.
                    if (!(Math.abs(actual - expected[i]) <= bound)) {
                        fail("token %d, head %d, value %d: %s, expected %s +- %s"
                                .formatted(token, head, d, actual, expected[i], bound));
                    }
                }
            }
        }
    }
}
