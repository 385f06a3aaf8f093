package org.hotrow.emulator.kernels;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels of small graphs; where a length is an array, work-items beyond it do nothing. */
public final class GraphKernels {
    private GraphKernels() {}

    /** c = a + b. */
    public static void add(KernelContext context, FloatArray a, FloatArray b, FloatArray c) {
        int i = context.globalIdx;
        c.set(i, a.get(i) + b.get(i));
    }

    /** values *= factor. */
    public static void scale(KernelContext context, FloatArray values, float factor) {
        int i = context.globalIdx;
        values.set(i, values.get(i) * factor);
    }

    /** One partial sum per group, in the order of a tree. */
    public static void partialSums(KernelContext context, FloatArray in, IntArray length, FloatArray sums) {
        float[] tree = context.allocateFloatLocalArray(256);
        int item = context.localIdx;
        float value = 0f;
        if (context.globalIdx < length.get(0)) {
            value = in.get(context.globalIdx);
        }
        tree[item] = value;
        context.localBarrier();
        for (int half = context.localGroupSizeX / 2; half > 0; half /= 2) {
            if (item < half) {
                tree[item] += tree[item + half];
            }
            context.localBarrier();
        }
        if (item == 0) {
            sums.set(context.groupIdx, tree[0]);
        }
    }

    /** Reads what no task has written and no transfer brought. */
    public static void copy(KernelContext context, FloatArray in, FloatArray out) {
        out.set(context.globalIdx, in.get(context.globalIdx));
    }
}
