package org.hotrow.kernels.lint;

import org.hotrow.kernels.tornado.CudaOnly;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.FP8;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels near to wrong ones, with nothing to be found. */
final class RightKernels {
    private RightKernels() {}

    static void searches(KernelContext context, IntArray x) {
        int found = -1;
        for (int i = 0; i < 8 && found < 0; i++) {
            if (x.get(i) == 7) {
                found = i;
            }
        }
        int steps = 0;
        if (x.get(0) > 0) {
            do {
                steps++;
            } while (steps < x.get(0) && steps < 100);
        }
        x.set(0, found + steps);
    }

    static void leavesWithoutAValue(KernelContext context, IntArray x) {
        for (int i = 0; i < 8; i++) {
            if (x.get(i) == 7) {
                x.set(0, i);
                break;
            }
        }
        for (int i = 0; i < 8; i++) {
            if (x.get(i) == 8) {
                return;
            }
            x.set(i, 1);
        }
    }

    static void loopsOneAfterTheOther(KernelContext context, IntArray x) {
        int sum = 0;
        if (x.get(0) > 0) {
            for (int i = 0; i < 8; i++) {
                sum += x.get(i);
            }
        }
        if (x.get(0) <= 0) {
            for (int i = 0; i < 8; i++) {
                sum -= x.get(i);
            }
        }
        x.set(0, sum + sign(sum));
    }

    private static int sign(int value) {
        if (value < 0) {
            return -1;
        }
        return value > 0 ? 1 : 0;
    }

    static void combinesConditionsBehindALoop(KernelContext context, IntArray x) {
        int steps = 0;
        do {
            steps++;
        } while ((x.get(steps) > 1 || x.get(1) > steps) && x.get(2) > steps);
        do {
            steps++;
        } while (x.get(steps) > 1 || x.get(1) > steps || x.get(2) > steps);
        do {
            steps++;
        } while (x.get(steps) > 1 && x.get(1) > steps && x.get(2) > steps);
        x.set(0, steps);
    }

    static void choosesBeforeALoop(KernelContext context, IntArray x) {
        int end = x.get(0) == 0 ? x.get(1) : 0;
        for (int i = x.get(2) > 0 ? 1 : 2; i < end; i++) {
            x.set(i, x.get(i) > 0 ? 1 : 2);
        }
        int steps = 0;
        while ((x.get(steps) > 1 || x.get(1) > steps) && x.get(2) > steps) {
            steps++;
        }
        x.set(3, steps);
    }

    static void combinesConditions(KernelContext context, IntArray x) {
        if ((x.get(0) > 1 || x.get(1) > 2) && x.get(2) > 3) {
            x.set(0, 1);
        }
        if (x.get(0) > 1 || x.get(1) > 2 || x.get(2) > 3) {
            x.set(1, 1);
        }
        if (x.get(0) > 1 && x.get(1) > 2) {
            if (x.get(2) > 3) {
                x.set(2, 1);
            }
        }
    }

    static void centresAByte(KernelContext context, ByteArray x, FloatArray out) {
        int value = x.get(0);
        if (value < 0) {
            value += 256;
        }
        out.set(value - 8 & 0xFF, value - 8);
    }

    static void reduces(KernelContext context, FloatArray x, IntArray counts) {
        float[] values = context.allocateFloatLocalArray(256);
        float[] own = new float[2];
        values[context.localIdx] = x.get(context.globalIdx);
        for (int distance = 128; distance > 0; distance = distance / 2) {
            context.localBarrier();
            if (context.localIdx < distance) {
                values[context.localIdx] += values[context.localIdx + distance];
            }
        }
        own[0] = Math.max(values[0], Math.abs(x.get(1)));
        x.set(0, twice(own));
        context.atomicAdd(counts, 3, 1);
    }

    private static float twice(float[] values) {
        return 2 * values[0];
    }

    static void decodes(KernelContext context, ByteArray x, FloatArray out, int cuda) {
        if (cuda == 1) {
            out.set(0, FP8.e4m3ToFloat(x.get(0)));
        }
    }

    static void storesBits(KernelContext context, IntArray x, FloatArray values) {
        x.set(0, Float.floatToRawIntBits(values.get(0) + values.get(1)));
    }

    @CudaOnly
    static void sumsAWarp(KernelContext context, FloatArray x) {
        sumOfWarp(context, x);
    }

    @CudaOnly
    static void sumOfWarp(KernelContext context, FloatArray x) {
        x.set(0, context.simdSum(x.get(0)));
    }
}
