package org.hotrow.kernels.lint;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.FP8;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels with one fault each. A comment names the rule on the line that is to be found. */
@SuppressWarnings("OperatorPrecedence") // On purpose.
final class WrongKernels {
    private static final int[] STEPS = {1, 2, 3};

    private WrongKernels() {}

    static void shiftsInts(KernelContext context, IntArray x) {
        x.set(0, (x.get(0) >>> 4) & 0xFF); // UNSIGNED_SHIFT
    }

    static void shiftsLongs(KernelContext context, LongArray x) {
        x.set(0, x.get(0) >>> 32); // UNSIGNED_SHIFT
    }

    static void shiftsInAHelper(KernelContext context, LongArray x) {
        x.set(0, upper(x.get(0)));
    }

    private static int upper(long word) {
        return (int) (word >>> 32); // UNSIGNED_SHIFT
    }

    static void countsInLocalMemory(KernelContext context, IntArray x) {
        int[] counts = context.allocateIntLocalArray(4);
        context.atomicAdd(counts, x.get(0), 1); // LOCAL_ATOMIC
        x.set(0, counts[1]);
    }

    static void givesLocalMemoryAway(KernelContext context, FloatArray x) {
        float[] values = context.allocateFloatLocalArray(4);
        float[] same = values;
        float[] own = new float[4];
        x.set(0, first(own, 1));
        x.set(1, first(same, 1L << context.localIdx)); // LOCAL_ARRAY_IN_HELPER
    }

    static void mayGiveLocalMemoryAway(KernelContext context, FloatArray x) {
        float[] values = context.allocateFloatLocalArray(4);
        float[] chosen = new float[4];
        if (x.get(0) > 0) {
            chosen = values;
        }
        x.set(0, first(chosen, 1)); // LOCAL_ARRAY_IN_HELPER
    }

    private static float first(float[] values, long unused) {
        return values[0];
    }

    static void allocatesInAHelper(KernelContext context, FloatArray x) {
        x.set(0, local(context, 3));
    }

    private static float local(KernelContext context, float value) {
        float[] values = context.allocateFloatLocalArray(4); // LOCAL_ARRAY_IN_HELPER
        values[0] = value;
        return values[0];
    }

    static void breaksWithASum(KernelContext context, IntArray x) {
        int sum = 0;
        for (int i = 0; i < 8; i++) {
            sum += x.get(i);
            if (sum > 100) { // LOOP_EXIT_VALUE
                break;
            }
        }
        x.set(0, sum);
    }

    static void breaksTwice(KernelContext context, IntArray x) {
        int last = 0;
        for (int i = 0; i < 8; i++) {
            last = x.get(i);
            if (last > 100) { // LOOP_EXIT_VALUE
                break;
            }
            last = x.get(i + 1);
            if (last > 200) { // LOOP_EXIT_VALUE
                break;
            }
        }
        x.set(0, last);
    }

    static void breaksWithAnIndex(KernelContext context, IntArray x) {
        int found = -1;
        for (int i = 0; i < 8; i++) {
            if (x.get(i) == 7) { // LOOP_EXIT_VALUE
                found = i;
                break;
            }
        }
        x.set(0, found);
    }

    static void continuesTheOuterLoop(KernelContext context, IntArray x) {
        int sum = 0;
        outer:
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 8; j++) {
                if (x.get(j) == i) { // LOOP_EXIT_VALUE
                    sum++;
                    continue outer;
                }
            }
            sum += 2;
        }
        x.set(0, sum);
    }

    static void returnsFromALoop(KernelContext context, IntArray x) {
        x.set(0, indexOf(x, 7));
    }

    private static int indexOf(IntArray x, int value) {
        for (int i = 0; i < 8; i++) {
            if (x.get(i) == value) {
                return i; // RETURN_IN_LOOP
            }
        }
        return -1;
    }

    static void loopsInBothBranches(KernelContext context, IntArray x) {
        int sum = 0;
        if (x.get(0) > 0) {
            for (int i = 0; i < 8; i++) {
                sum += x.get(i);
            }
        } else {
            for (int i = 0; i < 8; i++) {
                sum -= x.get(i);
            }
        }
        x.set(0, sum); // LOOPS_IN_BRANCHES
    }

    static void choosesInALoopHead(KernelContext context, IntArray x) {
        for (int i = 0; i < (x.get(0) == 0 ? x.get(1) : 0); i++) { // CHOICE_IN_LOOP_HEAD
            x.set(i, 1);
        }
    }

    static void mixesOperators(KernelContext context, IntArray x) {
        if (x.get(0) > 1 && x.get(1) > 2 || x.get(2) > 3) { // MIXED_CONDITION
            x.set(0, 1);
        }
    }

    static void mixesOperatorsInAValue(KernelContext context, IntArray x) {
        boolean both = x.get(0) > 1 && x.get(1) > 2 || x.get(2) > 3 && x.get(3) > 4; // MIXED_CONDITION
        x.set(0, both ? 1 : 2);
    }

    static void mixesOperatorsBehindALoop(KernelContext context, IntArray x) {
        int i = 0;
        do {
            i = i + 1;
        } while (x.get(i) > 1 && x.get(1) > i || x.get(2) > i); // MIXED_CONDITION
        x.set(0, i);
    }

    static void mixesMoreOperatorsBehindALoop(KernelContext context, IntArray x) {
        int i = 0;
        do {
            i = i + 1;
        } while (x.get(i) > 1 && x.get(1) > i || x.get(2) > i && x.get(3) != i); // MIXED_CONDITION
        x.set(0, i);
    }

    static void mixesOperatorsBeforeALoop(KernelContext context, IntArray x) {
        int i = 0;
        while (x.get(i) > 1 && x.get(1) > i || x.get(2) > i) { // MIXED_CONDITION
            i = i + 1;
        }
        x.set(0, i);
    }

    static void centresAByte(KernelContext context, ByteArray x, FloatArray out) {
        int centred = (x.get(0) & 0xFF) - 8;
        out.set(0, centred); // MASKED_DIFFERENCE
        out.set(1, x.get(centred / 2)); // MASKED_DIFFERENCE
    }

    static void sumsAWarp(KernelContext context, FloatArray x) {
        x.set(0, context.simdSum(x.get(0))); // CUDA_ONLY
    }

    static void decodesOnOtherDevices(KernelContext context, ByteArray x, FloatArray out, int cuda) {
        if (cuda == 1) {
            out.set(0, 2);
        } else {
            out.set(0, FP8.e4m3ToFloat(x.get(0))); // CUDA_ONLY
        }
    }

    static void decodesForAnotherDevice(KernelContext context, ByteArray x, FloatArray out, int cuda) {
        if (cuda == 2) {
            out.set(0, FP8.e4m3ToFloat(x.get(0))); // CUDA_ONLY
        }
    }

    static void callsWhatIsForCuda(KernelContext context, FloatArray x) {
        RightKernels.sumOfWarp(context, x); // CUDA_ONLY
    }

    static void readsBits(KernelContext context, IntArray x) {
        float value = Float.intBitsToFloat(x.get(0) << 16); // UNSUPPORTED_CALL
        x.set(0, (int) value);
    }

    static void findsBits(KernelContext context, IntArray x) {
        x.set(0, Integer.numberOfLeadingZeros(x.get(0))); // UNSUPPORTED_CALL
        x.set(1, Math.abs(x.get(1))); // UNSUPPORTED_CALL
    }

    static void rounds(KernelContext context, FloatArray x) {
        x.set(0, (float) Math.floor(x.get(0))); // UNSUPPORTED_CALL
        x.set(1, Math.round(x.get(1))); // UNSUPPORTED_CALL
        x.set(2, Math.fma(x.get(1), x.get(2), 1f)); // UNSUPPORTED_CALL
        x.set(3, Float.float16ToFloat((short) 3)); // UNSUPPORTED_CALL
    }

    static void readsAStaticArray(KernelContext context, IntArray x) {
        x.set(0, STEPS[x.get(0)]); // STATIC_FIELD
    }

    static void writesNaN(KernelContext context, FloatArray x) {
        x.set(0, Float.NaN); // NOT_A_NUMBER
    }

    static void divides(KernelContext context, IntArray x) {
        int quotient = 0; // EXCEPTION
        try {
            quotient = x.get(0) / x.get(1);
        } catch (ArithmeticException e) {
            quotient = -1;
        }
        x.set(0, quotient);
    }

    static void nan(KernelContext context, FloatArray x) {
        x.set(0, 1); // BUILTIN_NAME
    }
}
