package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.hotrow.kernels.TopK;
import org.hotrow.kernels.tornado.RadixTopK.Scratch;
import org.hotrow.kernels.tornado.RadixTopK.Shape;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The kernels against sorting all positions; selections are poisoned before. */
class RadixTopKTest {
    private static final int POISON = 77;
    private static final int PADDING = -1;

    /** What scores look like. */
    enum Scores {
        SPREAD {
            @Override
            float next(SplittableRandom random) {
                return (float) random.nextGaussian();
            }
        },
        TIES {
            @Override
            float next(SplittableRandom random) {
                return random.nextInt(3) - 1;
            }
        },
        EQUAL {
            @Override
            float next(SplittableRandom random) {
                return -2.5f;
            }
        },
        /** Zeros of both signs, NaN, infinities and the smallest numbers. */
        AWKWARD {
            @SuppressWarnings("ImmutableEnumChecker") // Nobody writes to it.
            private final float[] values = {
                0f,
                -0f,
                Float.NaN,
                Float.NEGATIVE_INFINITY,
                Float.POSITIVE_INFINITY,
                Float.MIN_VALUE,
                -Float.MIN_VALUE,
                Float.MAX_VALUE,
                -Float.MAX_VALUE,
                1f,
                Math.nextUp(1f),
                -1f,
                Math.nextDown(-1f),
                Float.MIN_NORMAL
            };

            @Override
            float next(SplittableRandom random) {
                return random.nextBoolean() ? values[random.nextInt(values.length)] : (float) random.nextGaussian();
            }
        },
        /** Of both signs, and more than are selected. */
        ZEROS {
            @Override
            float next(SplittableRandom random) {
                return random.nextInt(3) == 0 ? -1f : random.nextBoolean() ? 0f : -0f;
            }
        },
        /** Keys that differ in their last bits alone. */
        CLOSE {
            @Override
            float next(SplittableRandom random) {
                return Float.intBitsToFloat(0x3F800000 + random.nextInt(700));
            }
        };

        abstract float next(SplittableRandom random);
    }

    @ParameterizedTest
    @EnumSource(Scores.class)
    void agreesWithSortingAroundK(Scores scores) {
        check(scores, new Shape(7, 200, 64), 0, 62, 63, 64, 127, 199, PADDING);
    }

    @ParameterizedTest
    @EnumSource(Scores.class)
    void agreesWithSortingAroundChunks(Scores scores) {
        int chunk = RadixTopK.CHUNK;
        check(scores, new Shape(6, 2 * chunk + 1, 2048), 2048, chunk - 2, chunk - 1, chunk, PADDING, 2 * chunk);
    }

    @Test
    void agreesWithSortingAMillionPositions() {
        World world = new World(new Shape(1, 1 << 20, 2048), Scores.SPREAD, (1 << 20) - 1);
        world.runAndAssert();
        assertThat(world.listed(0)).isBetween(2048, RadixTopK.CHUNK);
    }

    /** hisparse bug 12: ties at the threshold overflowed and left a stale tail. */
    @Test
    void tiesAtTheThresholdGiveExactlyTheFirstOfThemAndNoStaleTail() {
        World world = new World(new Shape(2, 5000, 64), Scores.EQUAL, 4999, 39);
        try (Device.Prepared graph = world.prepare()) {
            graph.run();
        }

        int[] selected = world.selected.toHeapArray();
        for (int i = 0; i < 64; i++) {
            assertThat(selected[i]).isEqualTo(i);
            assertThat(selected[64 + i]).isEqualTo(i < 40 ? i : -1);
        }
    }

    /** The sample has the first 8 of every 64 positions: all of the best ones, or none. */
    @ParameterizedTest
    @ValueSource(floats = {10, -10})
    void aSampleThatMisleadsMakesNoDifference(float better) {
        Shape shape = new Shape(2, 20_000, 2048);
        World world = new World(shape, Scores.SPREAD, 16_383, 19_999);
        for (int i = 0; i < world.scores.getSize(); i++) {
            if (i % shape.mostTokens() % 64 < 8) {
                world.set(i, world.values[i / shape.mostTokens()][i % shape.mostTokens()] + better);
            }
        }
        world.runAndAssert();
        assertThat(world.listed(0)).isZero();
    }

    @Test
    void aSampleSparesReadingTheScoresAgain() {
        World world = new World(new Shape(1, 40_000, 2048), Scores.SPREAD, 39_999);
        world.runAndAssert();
        assertThat(world.listed(0)).isBetween(2048, RadixTopK.CHUNK);
    }

    @Test
    void movesScoresAndListsOnce() {
        int position = 29_999;
        World world = new World(new Shape(1, 30_000, 2048), Scores.SPREAD, position);
        long bytes = 0;
        for (String task : List.of("top-bound", "top-filter", "top-find", "top-list")) {
            Device.Traffic traffic = Device.meter(task, world::append, world.arrays());
            bytes += traffic.uniqueBytes();
            if (task.equals("top-filter")) {
                assertThat(traffic.sectorUse()).isGreaterThan(0.85);
            }
        }
        assertThat(bytes)
                .isLessThanOrEqualTo(world.shape.floorBytes(position) * 105 / 100 + world.shape.partialBytes(position));
    }

    @Test
    void selectsOneAndMoreThanThereAre() {
        check(Scores.TIES, new Shape(4, 65, 1), 0, 1, 64, PADDING);
        check(Scores.SPREAD, new Shape(3, 63, 100), 0, 62, PADDING);
    }

    /** hisparse bug 52: padding behind a shorter step showed what the last step had selected. */
    @Test
    void aShorterStepLeavesNothingOfTheLastOne() {
        Shape shape = new Shape(3, 300, 16);
        World world = new World(shape, Scores.SPREAD, 299, 250, 200);
        try (Device.Prepared graph = world.prepare()) {
            graph.run();
            world.assertSelections();
            world.step(150, 3, PADDING);
            graph.run();
            world.assertSelections();
            world.step(PADDING, PADDING, PADDING);
            graph.run();
            world.assertSelections();
        }
    }

    @Test
    void refusesSizesBeyondIndices() {
        assertThatThrownBy(() -> new Shape(1, 100, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("top 0 of 100");
        assertThatThrownBy(() -> new Shape(2048, 1 << 20, 2048)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void check(Scores scores, Shape shape, int... positions) {
        new World(shape, scores, positions).runAndAssert();
    }

    private static final class World {
        private final Shape shape;
        private final float[][] values;
        private final IntArray scores;
        private final IntArray request;
        private final IntArray position;
        private final IntArray selected;
        private final Scratch scratch;

        World(Shape shape, Scores kind, int... positions) {
            this.shape = shape;
            SplittableRandom random = new SplittableRandom(shape.mostTokens());
            values = new float[shape.tokens()][shape.mostTokens()];
            scores = new IntArray(shape.tokens() * shape.mostTokens());
            for (int i = 0; i < scores.getSize(); i++) {
                set(i, kind.next(random));
            }
            request = new IntArray(shape.tokens());
            position = new IntArray(shape.tokens());
            selected = new IntArray(shape.tokens() * shape.k());
            scratch = Scratch.of(shape);
            for (IntArray array : List.of(scratch.state(), scratch.counts(), scratch.keys(), scratch.positions())) {
                array.init(POISON);
            }
            step(positions);
        }

        void set(int i, float value) {
            values[i / shape.mostTokens()][i % shape.mostTokens()] = value;
            scores.set(i, Float.floatToRawIntBits(value));
        }

        void runAndAssert() {
            try (Device.Prepared graph = prepare()) {
                graph.run();
            }
            assertSelections();
        }

        int listed(int token) {
            return scratch.state().get(token * RadixTopK.STATE + RadixTopK.LISTED);
        }

        void step(int... positions) {
            for (int token = 0; token < shape.tokens(); token++) {
                request.set(token, positions[token] == PADDING ? -1 : 5 + token);
                position.set(token, Math.max(0, positions[token]));
            }
            selected.init(POISON);
        }

        void append(TaskGraph graph, GridScheduler grids) {
            RadixTopK.append(graph, grids, "top", shape, scores, request, position, scratch, selected);
        }

        IntArray[] arrays() {
            return new IntArray[] {
                scores,
                request,
                position,
                scratch.state(),
                scratch.counts(),
                scratch.keys(),
                scratch.positions(),
                selected
            };
        }

        Device.Prepared prepare() {
            return Device.prepare(this::append, arrays());
        }

        void assertSelections() {
            for (int token = 0; token < shape.tokens(); token++) {
                int n = request.get(token) < 0 ? 0 : position.get(token) + 1;
                int[] expected = new int[shape.k()];
                TopK.reference(values[token], n, shape.k(), expected, 0);
                int[] all = selected.toHeapArray();
                assertThat(Arrays.copyOfRange(all, token * shape.k(), (token + 1) * shape.k()))
                        .as("token %d of %d positions", token, n)
                        .containsExactly(expected);
            }
        }
    }
}
