package org.hotrow.emulator.kernels;

import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task3;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** Kernels with one fault each. A comment at the end of a line is how tests find the line. */
public final class WrongKernels {
    public static final Task3<KernelContext, FloatArray, FloatArray> LAMBDA =
            (context, a, b) -> b.set(0, a.get(a.getSize())); // in lambda

    private WrongKernels() {}

    /** A lambda that captures. */
    public static Task3<KernelContext, FloatArray, FloatArray> capturing(int index) {
        return (context, a, b) -> b.set(0, a.get(index));
    }

    public static void neighbourWithoutBarrier(KernelContext context, IntArray in, IntArray out) {
        int[] shared = context.allocateIntLocalArray(64);
        int i = context.localIdx;
        shared[i] = in.get(context.globalIdx); // write own
        out.set(context.globalIdx, shared[Math.max(i - 1, 0)]); // read neighbour
    }

    public static void writersWithoutBarrier(KernelContext context, IntArray out) {
        out.set(0, context.localIdx); // write first
    }

    public static void writeAfterRead(KernelContext context, IntArray data) {
        int i = context.localIdx;
        int value = data.get((i + 1) % 64); // read other
        data.set(i, value); // write mine
    }

    public static void betweenGroups(KernelContext context, IntArray data, IntArray out) {
        int group = context.groupIdx;
        if (context.localIdx == 0) {
            data.set(group, group); // publish
        }
        context.localBarrier();
        out.set(context.globalIdx, data.get(1 - group)); // read published
    }

    public static void readWhatAnotherGroupAdds(KernelContext context, IntArray counter, IntArray out) {
        context.atomicAdd(counter, 0, 1); // add
        context.localBarrier();
        out.set(context.globalIdx, counter.get(0)); // read counter
    }

    /** By groups: 0 adds, 1 reads. */
    public static void addThenRead(KernelContext context, IntArray counter, IntArray out) {
        if (context.groupIdx == 0) {
            context.atomicAdd(counter, 0, 1); // group adds
        } else {
            out.set(context.globalIdx, counter.get(0)); // group reads
        }
    }

    /** By groups: 0 adds, 1 writes. */
    public static void addThenWrite(KernelContext context, IntArray counter) {
        if (context.groupIdx == 0) {
            context.atomicAdd(counter, 0, 1);
        } else {
            counter.set(0, 0); // group writes
        }
    }

    /** By groups: 0 writes, 1 adds. */
    public static void writeThenAdd(KernelContext context, IntArray counter) {
        if (context.groupIdx == 0) {
            counter.set(0, 0);
        } else {
            context.atomicAdd(counter, 0, 1); // group adds later
        }
    }

    public static void barrierForSome(KernelContext context, IntArray out) {
        int i = context.localIdx;
        if (i < 32) {
            context.localBarrier(); // half waits
        }
        out.set(i, i); // others go on
    }

    public static void differentBarriers(KernelContext context, IntArray out) {
        int i = context.localIdx;
        if (i % 2 == 0) {
            context.localBarrier(); // even
        } else {
            context.localBarrier(); // odd
            out.set(i, i);
        }
    }

    /** Odd work-items take one more round than even ones. */
    public static void barrierInRoundsThatDiffer(KernelContext context, IntArray out) {
        int i = context.localIdx;
        for (int round = 0; round < 3 + i % 2; round++) {
            context.localBarrier(); // each round
        }
        out.set(i, i); // after rounds
    }

    /** A round writes what others may still read in the round before. */
    public static void oneBarrierInALoop(KernelContext context, IntArray in, IntArray out) {
        int[] shared = context.allocateIntLocalArray(64);
        int i = context.localIdx;
        int sum = 0;
        for (int round = 0; round < 2; round++) {
            shared[i] = in.get(i); // next round
            context.localBarrier();
            sum += shared[(i + 1) % 64]; // this round
        }
        out.set(i, sum);
    }

    public static void warpForSome(KernelContext context, FloatArray out) {
        int i = context.localIdx;
        float sum = 1;
        if (i % 32 != 5) {
            sum = context.simdSum(sum); // all but one
        }
        out.set(i, sum);
    }

    public static void warpOfDifferentOperations(KernelContext context, FloatArray out) {
        int i = context.localIdx;
        float value = i;
        if (i % 2 == 0) {
            value = context.simdSum(value); // sum
        } else {
            value = context.simdBroadcastFirst(value); // first
        }
        out.set(i, value);
    }

    public static void warpSumsAtTwoLines(KernelContext context, FloatArray out) {
        int i = context.localIdx;
        if (i % 2 == 0) {
            out.set(i, context.simdSum(1f)); // even sum
        } else {
            out.set(i, context.simdSum(2f)); // odd sum
        }
    }

    public static void writeBehindTheEnd(KernelContext context, ByteArray out) {
        out.set(context.globalIdx + 1, (byte) 1); // write outside
    }

    public static void readBeforeTheStart(KernelContext context, IntArray in, IntArray out) {
        out.set(context.globalIdx, in.get(context.globalIdx - 1)); // read outside
    }

    public static void localOutOfBounds(KernelContext context, FloatArray out) {
        float[] shared = context.allocateFloatLocalArray(63);
        shared[context.localIdx] = 1; // write 63
        context.localBarrier();
        out.set(context.globalIdx, shared[0]);
    }

    public static void privateOutOfBounds(KernelContext context, FloatArray out) {
        float[] own = new float[4];
        own[context.localIdx] = 1; // own 4
        out.set(context.globalIdx, own[context.localIdx]);
    }

    public static void uninitialisedLocal(KernelContext context, FloatArray out) {
        float[] shared = context.allocateFloatLocalArray(64);
        if (context.localIdx != 7) {
            shared[context.localIdx] = 1;
        }
        context.localBarrier();
        out.set(context.globalIdx, shared[context.localIdx]); // read 7
    }

    public static void uninitialisedDevice(KernelContext context, FloatArray never, FloatArray out) {
        out.set(context.globalIdx, never.get(context.globalIdx)); // read never
    }

    public static void privateIsNotZero(KernelContext context, FloatArray out) {
        float[] sums = new float[2];
        sums[0] += 1;
        out.set(context.globalIdx, sums[0]);
    }

    public static void copyNotAwaited(KernelContext context, ByteArray in, IntArray out) {
        int[] tile = context.allocateIntLocalArray(64);
        int i = context.localIdx;
        context.asyncCopyToLocal(tile, i, in, 4 * i);
        context.asyncCopyCommit();
        context.localBarrier();
        out.set(i, tile[i]); // read too early
        context.asyncCopyWaitGroup(0);
    }

    public static void copyAwaitedWithoutBarrier(KernelContext context, ByteArray in, IntArray out) {
        int[] tile = context.allocateIntLocalArray(64);
        int i = context.localIdx;
        context.asyncCopyToLocal(tile, i, in, 4 * i);
        context.asyncCopyCommit();
        context.asyncCopyWaitGroup(0); // lands
        out.set(i, tile[(i + 1) % 64]); // read other's copy
    }

    public static void tooMuchLocalMemory(KernelContext context, FloatArray out) {
        float[] most = context.allocateFloatLocalArray(12 * 1024);
        byte[] oneMore = context.allocateByteLocalArray(1); // one more
        most[0] = oneMore[0];
        out.set(0, most[0]);
    }

    public static void allocationsDiffer(KernelContext context, FloatArray out) {
        float[] shared;
        if (context.localIdx % 2 == 0) {
            shared = context.allocateFloatLocalArray(64); // even array
            shared[context.localIdx] = 2;
        } else {
            shared = context.allocateFloatLocalArray(64); // odd array
            shared[context.localIdx] = 1;
        }
        out.set(context.localIdx, shared[context.localIdx]);
    }

    public static void allocationInLoop(KernelContext context, FloatArray out) {
        float sum = 0;
        for (int k = 0; k < 2; k++) {
            float[] shared = context.allocateFloatLocalArray(64); // in loop
            shared[context.localIdx] = k;
            sum += shared[context.localIdx];
        }
        out.set(context.localIdx, sum);
    }

    /** Each work-item hands a count to the next: right only if work-items run in ascending order. */
    public static void orderDependent(KernelContext context, IntArray out) {
        int[] count = context.allocateIntLocalArray(1);
        if (context.localIdx == 0) {
            count[0] = 0;
        }
        context.localBarrier();
        out.set(context.globalIdx, count[0]);
        count[0] = count[0] + 1;
    }

    /** Group by group, each reads what the one before it wrote: right only if groups run in ascending order. */
    public static void groupOrderDependent(KernelContext context, IntArray data) {
        int group = context.groupIdx;
        data.set(group + 1, data.get(group) + 1);
    }

    public static void barrierForTheFirst(KernelContext context, IntArray out) {
        if (context.localIdx == 0) { // others end
            context.localBarrier(); // first waits
        }
    }

    /** The lanes of a matrix load read what others have stored. */
    public static void matrixWithoutBarrier(KernelContext context, IntArray in, FloatArray out) {
        int[] tile = context.allocateIntLocalArray(128);
        for (int i = context.localIdx; i < 128; i += 32) {
            tile[i] = in.get(i); // fill tile
        }
        HalfFloat[] fragment = context.mmaLoadA(tile, 16); // load tile
        out.set(context.localIdx, fragment[0].getFloat32());
    }

    public static void matrixOfNothing(KernelContext context, FloatArray out) {
        int[] tile = context.allocateIntLocalArray(128);
        HalfFloat[] fragment = context.mmaLoadA(tile, 16); // load nothing
        out.set(context.localIdx, fragment[0].getFloat32());
    }

    /** A work-item overwrites what others may not have loaded yet. */
    public static void writeBehindAMatrixLoad(KernelContext context, IntArray in, FloatArray out) {
        int[] tile = context.allocateIntLocalArray(128);
        for (int i = context.localIdx; i < 128; i += 32) {
            tile[i] = in.get(i);
        }
        context.localBarrier();
        HalfFloat[] fragment = context.mmaLoadA(tile, 16); // read tile
        tile[127 - context.localIdx] = 0; // overwrite tile
        out.set(context.localIdx, fragment[0].getFloat32());
    }

    public static void helperInOtherClass(KernelContext context, IntArray in, IntArray out) {
        out.set(context.globalIdx, Helper.at(in, context.globalIdx + 60));
    }

    static final class Helper {
        private Helper() {}

        static int at(IntArray in, int index) {
            return in.get(index); // in helper
        }
    }
}
