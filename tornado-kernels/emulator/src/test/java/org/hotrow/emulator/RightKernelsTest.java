package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hotrow.emulator.Device.filled;

import java.util.SplittableRandom;
import org.hotrow.emulator.Launch.Extent;
import org.hotrow.emulator.kernels.RightKernels;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.FP8;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels without fault give right values and no report, in 20 orders. */
class RightKernelsTest {
    private static final int SEEDS = 20;

    private static Mode checked(int seed) {
        return new Mode(true, true, seed);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 32, 64, 256})
    void groupSum(int local) {
        SplittableRandom random = new SplittableRandom(local);
        FloatArray in = filled(new FloatArray(3 * local));
        for (int i = 0; i < in.getSize(); i++) {
            in.set(i, random.nextInt(-1000, 1000));
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            FloatArray out = new FloatArray(3);
            Device.of(checked(seed), 3 * local, local).run(RightKernels::groupSum, in, out);
            for (int group = 0; group < 3; group++) {
                int sum = 0;
                for (int i = 0; i < local; i++) {
                    sum += (int) in.get(group * local + i);
                }
                assertThat(out.get(group)).isEqualTo(sum);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 33, 256})
    void prefixSum(int local) {
        IntArray in = filled(new IntArray(2 * local));
        for (int i = 0; i < in.getSize(); i++) {
            in.set(i, i * i % 101 - 50);
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            IntArray out = new IntArray(2 * local);
            Device.of(checked(seed), 2 * local, local).run(RightKernels::prefixSum, in, out);
            int sum = 0;
            for (int i = 0; i < out.getSize(); i++) {
                sum = i % local == 0 ? in.get(i) : sum + in.get(i);
                assertThat(out.get(i)).isEqualTo(sum);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 96})
    void warpSumsInTheButterflysOrder(int local) {
        SplittableRandom random = new SplittableRandom(local);
        FloatArray in = filled(new FloatArray(2 * local));
        for (int i = 0; i < in.getSize(); i++) {
            in.set(i, (float) (random.nextDouble() - 0.5) * (1 << random.nextInt(20)));
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            FloatArray sum = new FloatArray(2 * local);
            FloatArray down = new FloatArray(2 * local);
            FloatArray first = new FloatArray(2 * local);
            Device.of(checked(seed), 2 * local, local).run(RightKernels::warp, in, sum, down, first);
            for (int i = 0; i < in.getSize(); i++) {
                int warp = i / 32 * 32;
                assertThat(sum.get(i)).isEqualTo(pairwise(in, warp, 32, 1));
                assertThat(down.get(i)).isEqualTo(in.get(i % 32 < 29 ? i + 3 : i));
                assertThat(first.get(i)).isEqualTo(in.get(warp));
            }
        }
    }

    /** Lane l adds lane l + 16's value first, then what l + 8 has got so, and so on. */
    private static float pairwise(FloatArray in, int from, int count, int stride) {
        if (count == 1) {
            return in.get(from);
        }
        return pairwise(in, from, count / 2, 2 * stride) + pairwise(in, from + stride, count / 2, 2 * stride);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 512, 776})
    void fp8Dot(int columns) {
        SplittableRandom random = new SplittableRandom(columns);
        int rows = 4;
        byte[] codes = new byte[rows * columns];
        random.nextBytes(codes);
        LongArray packed = filled(new LongArray(codes.length / 8));
        for (int i = 0; i < codes.length; i++) {
            // The two NaNs become zeros.
            codes[i] = (codes[i] & 0x7F) == 0x7F ? 0 : codes[i];
            packed.set(i / 8, packed.get(i / 8) | ((codes[i] & 0xFFL) << (8 * (i % 8))));
        }
        FloatArray x = filled(new FloatArray(columns));
        for (int i = 0; i < columns; i++) {
            x.set(i, (float) random.nextDouble(-1, 1));
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            FloatArray out = new FloatArray(rows);
            Device.of(checked(seed), rows * 32, 64).run(RightKernels::fp8Dot, packed, x, out, columns);
            for (int row = 0; row < rows; row++) {
                double sum = 0;
                double size = 0;
                for (int i = 0; i < columns; i++) {
                    double term = (double) FP8.e4m3ToFloat(codes[row * columns + i]) * x.get(i);
                    sum += term;
                    size += Math.abs(term);
                }
                assertThat((double) out.get(row)).isCloseTo(sum, within(4 * Math.ulp(1f) * size));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64})
    void histogram(int local) {
        IntArray in = filled(new IntArray(256));
        int[] expected = new int[10];
        long total = 0;
        for (int i = 0; i < 256; i++) {
            in.set(i, i * 7 % 10);
            expected[i * 7 % 10]++;
            total += i * 7 % 10;
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            IntArray bins = filled(new IntArray(10));
            LongArray sum = filled(new LongArray(1));
            FloatArray halves = filled(new FloatArray(1));
            Device.of(checked(seed), 256, local).run(RightKernels::histogram, in, bins, sum, halves);
            assertThat(bins.toHeapArray()).isEqualTo(expected);
            assertThat(sum.get(0)).isEqualTo(total);
            assertThat(halves.get(0)).isEqualTo(128);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 24})
    void transposeInTwoDimensions(int columns) {
        int rows = 16;
        IntArray in = filled(new IntArray(rows * columns));
        for (int i = 0; i < in.getSize(); i++) {
            in.set(i, i);
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            IntArray out = new IntArray(rows * columns);
            new Device(checked(seed), new Extent(columns, rows, 1), new Extent(8, 8, 1))
                    .run(RightKernels::transpose, in, out, columns);
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    assertThat(out.get(column * rows + row)).isEqualTo(row * columns + column);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void localArraysOfEveryType(int seed) {
        LongArray out = new LongArray(32);
        Device.of(checked(seed), 32, 32).run(RightKernels::types, out);
        for (int i = 0; i < 32; i++) {
            int next = (i + 1) % 32;
            assertThat(out.get(i)).isEqualTo(-next + (1L << next) + next + next);
        }
    }
}
