package org.hotrow.emulator.kernels;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.HalfFloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels whose traffic is known. */
public final class MeteredKernels {
    private MeteredKernels() {}

    public static void strided(KernelContext context, FloatArray in, FloatArray out, int stride) {
        out.set(context.globalIdx, in.get(stride * context.globalIdx));
    }

    public static void sameForAll(KernelContext context, LongArray in, LongArray out) {
        long sum = 0;
        for (int i = 0; i < in.getSize(); i++) {
            sum += in.get(i);
        }
        out.set(context.globalIdx, sum);
    }

    /** Lanes run loops of different lengths: what they share is the occurrence. */
    public static void ragged(KernelContext context, IntArray in, IntArray out) {
        int sum = 0;
        for (int i = 0; i <= context.localIdx % 2; i++) {
            sum += in.get(32 * i + context.localIdx);
        }
        out.set(context.globalIdx, sum);
    }

    /** Odd lanes read before the barrier, all after it, at one instruction. */
    public static void raggedBeforeBarrier(KernelContext context, IntArray in, IntArray out) {
        int sum = 0;
        for (int phase = 0; phase < 2; phase++) {
            for (int i = 0; i < Math.max(phase, context.localIdx % 2); i++) {
                sum += in.get(context.localIdx);
            }
            context.localBarrier();
        }
        out.set(context.globalIdx, sum);
    }

    /** A launch that reads what it wrote itself. */
    public static void back(KernelContext context, IntArray scratch, IntArray out) {
        scratch.set(context.globalIdx, 1);
        out.set(context.globalIdx, scratch.get(context.globalIdx));
    }

    public static void copy(KernelContext context, IntArray in, IntArray out) {
        out.set(context.globalIdx, in.get(context.globalIdx));
    }

    public static void pairs(KernelContext context, HalfFloatArray in, FloatArray out) {
        out.set(context.globalIdx, in.getHalf2(2 * context.globalIdx).getX().getFloat32());
    }

    public static void banks(KernelContext context, IntArray out, int stride) {
        int[] tile = context.allocateIntLocalArray(2048);
        int i = context.localIdx;
        tile[stride * i] = i;
        context.localBarrier();
        out.set(context.globalIdx, tile[stride * i]);
    }

    public static void wideBanks(KernelContext context, LongArray out, int stride) {
        long[] tile = context.allocateLongLocalArray(1024);
        int i = context.localIdx;
        tile[stride * i] = i;
        context.localBarrier();
        out.set(context.globalIdx, tile[0]);
    }

    public static void byteBanks(KernelContext context, IntArray out) {
        byte[] tile = context.allocateByteLocalArray(64);
        tile[context.localIdx] = 1;
        context.localBarrier();
        out.set(context.globalIdx, tile[context.localIdx]);
    }
}
