package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.hotrow.emulator.Device.filled;

import java.util.SplittableRandom;
import org.hotrow.emulator.kernels.RightKernels;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.BFloat16;
import uk.ac.manchester.tornado.api.types.FP8;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.FP8Array;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.HalfFloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Tiles against plain sums in double; a tile of k steps rounds k times. */
class MatrixTest {
    private static final int SEEDS = 20;

    @ParameterizedTest
    @ValueSource(ints = {16, 64})
    void halves(int k) {
        SplittableRandom random = new SplittableRandom(k);
        HalfFloatArray a = filled(new HalfFloatArray(16 * k));
        HalfFloatArray b = filled(new HalfFloatArray(k * 8));
        double[] plainA = new double[16 * k];
        double[] plainB = new double[k * 8];
        for (int i = 0; i < plainA.length; i++) {
            a.set(i, new HalfFloat((float) random.nextDouble(-2, 2)));
            plainA[i] = a.get(i).getFloat32();
        }
        for (int i = 0; i < plainB.length; i++) {
            b.set(i, new HalfFloat((float) random.nextDouble(-2, 2)));
            plainB[i] = b.get(i).getFloat32();
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            FloatArray c = new FloatArray(128);
            Device.of(new Mode(true, true, seed), 32, 32).run(RightKernels::halfTile, a, b, c, k);
            assertTile(c, 0, plainA, plainB, k, 0, k / 16);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 96})
    void bytes(int k) {
        SplittableRandom random = new SplittableRandom(k);
        FP8Array a = filled(new FP8Array(16 * k));
        ByteArray b = filled(new ByteArray(k * 8));
        double[] floatA = new double[16 * k];
        double[] floatB = new double[k * 8];
        double[] wideA = new double[16 * k];
        double[] wideB = new double[k * 8];
        double[] intA = new double[16 * k];
        double[] intB = new double[k * 8];
        for (int i = 0; i < floatA.length; i++) {
            byte code = code(random);
            a.set(i, code);
            floatA[i] = FP8.e4m3ToFloat(code);
            wideA[i] = FP8.e5m2ToFloat(code);
            intA[i] = code;
        }
        for (int i = 0; i < floatB.length; i++) {
            byte code = code(random);
            b.set(i, code);
            floatB[i] = FP8.e4m3ToFloat(code);
            wideB[i] = FP8.e5m2ToFloat(code);
            intB[i] = code;
        }
        for (int seed = 0; seed < SEEDS; seed++) {
            FloatArray c = new FloatArray(128);
            FloatArray wide = new FloatArray(128);
            IntArray ints = new IntArray(128);
            Device.of(new Mode(true, true, seed), 32, 32).run(RightKernels::byteTile, a, b, c, wide, ints, k);
            assertTile(c, 0, floatA, floatB, k, 0, k / 32);
            assertTile(wide, 0, wideA, wideB, k, 0, k / 32);
            for (int i = 0; i < 128; i++) {
                assertThat((double) ints.get(i)).isEqualTo(dot(intA, intB, i / 8, i % 8, k, false));
            }
        }
    }

    /** Any code that is a number as e4m3 and as e5m2. */
    private static byte code(SplittableRandom random) {
        int code = random.nextInt(256);
        return (byte) ((code & 0x7F) >= 0x7C ? 0 : code);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void bfloat16OfASwizzledTileByTwoWarps(int seed) {
        SplittableRandom random = new SplittableRandom(seed);
        IntArray a = filled(new IntArray(256));
        HalfFloatArray b = filled(new HalfFloatArray(128));
        double[] plainA = new double[512];
        double[] plainB = new double[128];
        for (int i = 0; i < 512; i++) {
            short bits = BFloat16.bf16FromFloat((float) random.nextDouble(-2, 2));
            a.set(i / 2, a.get(i / 2) | ((bits & 0xFFFF) << (16 * (i % 2))));
            plainA[i] = BFloat16.bf16ToFloat(bits);
        }
        for (int i = 0; i < 128; i++) {
            short bits = BFloat16.bf16FromFloat((float) random.nextDouble(-2, 2));
            b.set(i, new HalfFloat(bits));
            plainB[i] = BFloat16.bf16ToFloat(bits);
        }
        FloatArray c = new FloatArray(256);
        Device.of(new Mode(true, true, seed), 64, 64).run(RightKernels::bfloat16Swizzled, a, b, c);
        assertTile(c, 0, plainA, plainB, 16, 1, 1);
        assertTile(c, 16, plainA, plainB, 16, 1, 1);
    }

    private static void assertTile(
            FloatArray c, int firstRow, double[] a, double[] b, int k, double start, int roundings) {
        for (int row = firstRow; row < firstRow + 16; row++) {
            for (int column = 0; column < 8; column++) {
                double size = Math.abs(start) + dot(a, b, row, column, k, true);
                assertThat((double) c.get(row * 8 + column))
                        .as("row %d, column %d", row, column)
                        .isCloseTo(
                                start + dot(a, b, row, column, k, false), within(roundings * Math.ulp(1f) / 2 * size));
            }
        }
    }

    private static double dot(double[] a, double[] b, int row, int column, int k, boolean absolute) {
        double sum = 0;
        for (int i = 0; i < k; i++) {
            double term = a[row * k + i] * b[i * 8 + column];
            sum += absolute ? Math.abs(term) : term;
        }
        return sum;
    }
}
