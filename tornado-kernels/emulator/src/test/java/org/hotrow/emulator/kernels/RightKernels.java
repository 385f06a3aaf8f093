package org.hotrow.emulator.kernels;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.enums.MMAShape;
import uk.ac.manchester.tornado.api.types.FP8;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.FP8Array;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.HalfFloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Kernels without fault. */
public final class RightKernels {
    private RightKernels() {}

    /** One sum of each group's elements. */
    public static void groupSum(KernelContext context, FloatArray in, FloatArray out) {
        float[] sums = context.allocateFloatLocalArray(256);
        int i = context.localIdx;
        sums[i] = in.get(context.globalIdx);
        for (int half = context.localGroupSizeX / 2; half > 0; half /= 2) {
            context.localBarrier();
            if (i < half) {
                sums[i] += sums[i + half];
            }
        }
        if (i == 0) {
            out.set(context.groupIdx, sums[0]);
        }
    }

    /** Inclusive prefix sums of each group. */
    public static void prefixSum(KernelContext context, IntArray in, IntArray out) {
        int[] sums = context.allocateIntLocalArray(256);
        int i = context.localIdx;
        sums[i] = in.get(context.globalIdx);
        context.localBarrier();
        for (int distance = 1; distance < context.localGroupSizeX; distance *= 2) {
            int left = 0;
            if (i >= distance) {
                left = sums[i - distance];
            }
            context.localBarrier();
            sums[i] += left;
            context.localBarrier();
        }
        out.set(context.globalIdx, sums[i]);
    }

    /** One sum per warp, the value 3 lanes on, and the first value of the warp. */
    public static void warp(KernelContext context, FloatArray in, FloatArray sum, FloatArray down, FloatArray first) {
        int i = context.globalIdx;
        float value = in.get(i);
        sum.set(i, context.simdSum(value));
        down.set(i, context.simdShuffleDown(value, 3));
        first.set(i, context.simdBroadcastFirst(value));
    }

    /** One warp per row: dot products of e4m3 rows, 8 bytes at a time. */
    public static void fp8Dot(KernelContext context, LongArray rows, FloatArray x, FloatArray out, int columns) {
        int row = context.globalIdx / 32;
        int lane = context.localIdx % 32;
        int longs = columns / 8;
        float sum = 0;
        for (int i = lane; i < longs; i += 32) {
            long codes = rows.get(row * longs + i);
            for (int b = 0; b < 8; b++) {
                sum += FP8.e4m3ToFloat((byte) (codes >> (8 * b))) * x.get(8 * i + b);
            }
        }
        sum = context.simdSum(sum);
        if (lane == 0) {
            out.set(row, sum);
        }
    }

    /** Counts by atomic additions. */
    public static void histogram(KernelContext context, IntArray in, IntArray bins, LongArray total, FloatArray sum) {
        int value = in.get(context.globalIdx);
        context.atomicAdd(bins, value, 1);
        context.atomicAdd(total, 0, (long) value);
        context.atomicAdd(sum, 0, 0.5f);
    }

    /** Sums of a matrix's rows and columns, by one group of two dimensions each tile. */
    public static void transpose(KernelContext context, IntArray in, IntArray out, int columns) {
        int[] tile = context.allocateIntLocalArray(8 * 9);
        int x = context.localIdx;
        int y = context.localIdy;
        tile[y * 9 + x] = in.get(context.globalIdy * columns + context.globalIdx);
        context.localBarrier();
        int rows = context.globalGroupSizeY;
        out.set((context.groupIdx * 8 + y) * rows + context.groupIdy * 8 + x, tile[x * 9 + y]);
    }

    /** Every type of local array; each work-item hands its value to the next. */
    public static void types(KernelContext context, LongArray out) {
        byte[] bytes = context.allocateByteLocalArray(32);
        long[] longs = context.allocateLongLocalArray(32);
        double[] doubles = context.allocateDoubleLocalArray(32);
        HalfFloat[] halves = context.allocateHalfFloatLocalArray(32);
        boolean[] flags = new boolean[2];
        int i = context.localIdx;
        int next = (i + 1) % 32;
        bytes[i] = (byte) -i;
        longs[i] = 1L << i;
        doubles[i] = i * 0.5;
        halves[i] = new HalfFloat((float) i);
        flags[i % 2] = true;
        context.localBarrier();
        long sum = bytes[next] + longs[next] + (long) (2 * doubles[next]) + (long) halves[next].getFloat32();
        out.set(i, flags[i % 2] ? sum : -1);
    }

    /** One warp: a 16 x 8 tile of A (16 x k halves) times B (k x 8 halves), both row-major. */
    public static void halfTile(KernelContext context, HalfFloatArray a, HalfFloatArray b, FloatArray c, int k) {
        int[] aTile = context.allocateIntLocalArray(128);
        int[] bTile = context.allocateIntLocalArray(64);
        int lane = context.localIdx;
        float[] sums = context.mmaFragment(0f);
        for (int from = 0; from < k; from += 16) {
            for (int i = lane; i < 128; i += 32) {
                context.asyncCopyToLocal(aTile, i, a, i / 8 * k + from + 2 * (i % 8));
            }
            context.asyncCopyCommit();
            for (int i = lane; i < 64; i += 32) {
                int low = b.get((from + i / 4) * 8 + 2 * (i % 4)).getHalfFloatValue() & 0xFFFF;
                int high = b.get((from + i / 4) * 8 + 2 * (i % 4) + 1).getHalfFloatValue() & 0xFFFF;
                bTile[i] = low | (high << 16);
            }
            context.asyncCopyWaitGroup(0);
            context.localBarrier();
            HalfFloat[] fragmentA = context.mmaLoadA(aTile, 16);
            HalfFloat[] fragmentB = context.mmaLoadB(bTile, 16);
            sums = context.mma(fragmentA, fragmentB, sums, MMAShape.M16N8K16);
            context.localBarrier();
        }
        context.mmaStore(sums, c, 0, 0, 8);
    }

    /** One warp: as {@link #halfTile}, of bytes: e4m3, e5m2 and 8-bit integers. */
    public static void byteTile(
            KernelContext context, FP8Array a, ByteArray b, FloatArray e4m3, FloatArray e5m2, IntArray int8, int k) {
        int[] aTile = context.allocateIntLocalArray(128);
        int[] bTile = context.allocateIntLocalArray(64);
        int lane = context.localIdx;
        float[] sums = context.mmaFragment(0f);
        float[] wideSums = context.mmaFragment(0f);
        int[] intSums = context.mmaFragmentInt(0);
        for (int from = 0; from < k; from += 32) {
            for (int i = lane; i < 128; i += 32) {
                context.asyncCopyToLocal(aTile, i, a, i / 8 * k + from + 4 * (i % 8));
            }
            context.asyncCopyCommit();
            for (int i = lane; i < 64; i += 32) {
                int row = from + 2 * (i / 4);
                int column = 2 * (i % 4);
                int packed = b.get(row * 8 + column) & 0xFF;
                packed |= (b.get((row + 1) * 8 + column) & 0xFF) << 8;
                packed |= (b.get(row * 8 + column + 1) & 0xFF) << 16;
                packed |= (b.get((row + 1) * 8 + column + 1) & 0xFF) << 24;
                bTile[i] = packed;
            }
            context.asyncCopyWaitGroup(0);
            context.localBarrier();
            byte[] fragmentA = context.mmaLoadAFP8(aTile, 32);
            byte[] fragmentB = context.mmaLoadBFP8(bTile, 32);
            sums = context.mmaFP8E4M3(fragmentA, fragmentB, sums, MMAShape.M16N8K32);
            wideSums = context.mmaFP8E5M2(fragmentA, fragmentB, wideSums, MMAShape.M16N8K32);
            intSums = context.mmaInt8(fragmentA, fragmentB, intSums, MMAShape.M16N8K32);
            context.localBarrier();
        }
        context.mmaStore(sums, e4m3, 0, 0, 8);
        context.mmaStore(wideSums, e5m2, 0, 0, 8);
        context.mmaStoreInt(intSums, int8, 0, 0, 8);
    }

    /** Two warps, each a tile of 16 x 8 of A (32 x 16 bfloat16) times a swizzled B. */
    public static void bfloat16Swizzled(KernelContext context, IntArray a, HalfFloatArray b, FloatArray c) {
        int[] aTile = context.allocateIntLocalArray(256);
        HalfFloat[] bTile = context.allocateHalfFloatLocalArray(128);
        int i = context.localIdx;
        for (int at = i; at < 256; at += 64) {
            aTile[at] = a.get(at);
        }
        for (int at = i; at < 128; at += 64) {
            context.mmaStoreBSwizzled(bTile, at / 8, at % 8, 8, b.get(at), 0);
        }
        context.localBarrier();
        int warp = i / 32;
        HalfFloat[] fragmentA = context.mmaLoadA(aTile, 16, warp * 512);
        HalfFloat[] fragmentB = context.mmaLoadBSwizzled(bTile, 16);
        float[] sums = context.mmaBF16(fragmentA, fragmentB, context.mmaFragment(1f), MMAShape.M16N8K16);
        context.mmaStore(sums, c, warp * 16, 0, 8);
    }

    /** Each way to swizzle: work-items write, others read. Bytes go by the wide one. */
    public static void swizzled(KernelContext context, IntArray out) {
        HalfFloat[] wide = context.allocateHalfFloatLocalArray(512);
        HalfFloat[] narrow = context.allocateHalfFloatLocalArray(512);
        byte[] bytes = context.allocateByteLocalArray(512);
        int i = context.localIdx;
        context.swizzleStoreFp16Stride32(wide, i / 16, i % 16, 16, new HalfFloat((short) i));
        context.swizzleStoreFp16Stride16(narrow, i / 8, i % 8, 8, new HalfFloat((short) i));
        context.swizzleStoreInt8(bytes, i / 32, i % 32, 32, (byte) i);
        context.localBarrier();
        int j = 511 - i;
        out.set(3 * i, context.swizzleLoadFp16Stride32(wide, j / 16, j % 16, 16).getHalfFloatValue());
        out.set(
                3 * i + 1,
                context.swizzleLoadFp16Stride16(narrow, j / 8, j % 8, 8).getHalfFloatValue());
        out.set(3 * i + 2, context.swizzleLoadInt8(bytes, j / 32, j % 32, 32));
    }
}
