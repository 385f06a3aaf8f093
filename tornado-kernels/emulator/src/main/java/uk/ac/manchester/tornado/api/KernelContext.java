package uk.ac.manchester.tornado.api;

import org.hotrow.emulator.Atomics;
import org.hotrow.emulator.Swizzle;
import org.hotrow.emulator.WorkItem;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.enums.MMAShape;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.FP8Array;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.HalfFloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.vectors.Half2;

/**
 * A work-item's view of the device: its indices, local memory, barriers and what it does with its neighbours.
 *
 * <p>Each work-item gets a context of its own in place of the one among a task's arguments, which can do nothing. Warps
 * are 32 work-items, x fastest. See {@link org.hotrow.emulator.KernelFault} for what kernels are caught at.
 */
public class KernelContext {
    /** Number of the work-item in the grid. */
    public final Integer globalIdx;

    public final Integer globalIdy;
    public final Integer globalIdz;

    /** Number of the group. */
    public final Integer groupIdx;

    public final Integer groupIdy;
    public final Integer groupIdz;

    /** Number of the work-item in its group. */
    public final Integer localIdx;

    public final Integer localIdy;
    public final Integer localIdz;

    /** Work-items of the grid. */
    public final Integer globalGroupSizeX;

    public final Integer globalGroupSizeY;
    public final Integer globalGroupSizeZ;

    /** Work-items of a group. */
    public final Integer localGroupSizeX;

    public final Integer localGroupSizeY;
    public final Integer localGroupSizeZ;

    private final @Nullable WorkItem own;

    /** What stands for the work-items' contexts among the arguments of a task. */
    public KernelContext() {
        globalIdx = globalIdy = globalIdz = 0;
        groupIdx = groupIdy = groupIdz = 0;
        localIdx = localIdy = localIdz = 0;
        globalGroupSizeX = globalGroupSizeY = globalGroupSizeZ = 0;
        localGroupSizeX = localGroupSizeY = localGroupSizeZ = 0;
        own = null;
    }

    /** What the emulator gives to a work-item. */
    KernelContext(WorkItem item) {
        globalIdx = item.global().x();
        globalIdy = item.global().y();
        globalIdz = item.global().z();
        groupIdx = item.group().x();
        groupIdy = item.group().y();
        groupIdz = item.group().z();
        localIdx = item.local().x();
        localIdy = item.local().y();
        localIdz = item.local().z();
        globalGroupSizeX = item.globalSize().x();
        globalGroupSizeY = item.globalSize().y();
        globalGroupSizeZ = item.globalSize().z();
        localGroupSizeX = item.localSize().x();
        localGroupSizeY = item.localSize().y();
        localGroupSizeZ = item.localSize().z();
        own = item;
    }

    private WorkItem item() {
        if (own == null) {
            throw new IllegalStateException(
                    "this kernel context belongs to no work-item: a kernel runs as a task of a TaskGraph only");
        }
        return own;
    }

    /** Waits until all work-items of the group are here; what they wrote before, all can read. */
    public void localBarrier() {
        item().barrier();
    }

    /** Refused: TornadoVM's waits for one group only, so {@link #localBarrier} says what happens. */
    public void globalBarrier() {
        throw new UnsupportedOperationException("globalBarrier waits for the work-items of one group on the device too:"
                + " use localBarrier, and another task where all groups must be done");
    }

    /** A local array of the group, which holds nothing yet. */
    public int[] allocateIntLocalArray(int size) {
        return item().allocate(int[].class, size);
    }

    /** A local array of the group, which holds nothing yet. */
    public byte[] allocateByteLocalArray(int size) {
        return item().allocate(byte[].class, size);
    }

    /** A local array of the group, which holds nothing yet. */
    public long[] allocateLongLocalArray(int size) {
        return item().allocate(long[].class, size);
    }

    /** A local array of the group, which holds nothing yet. */
    public float[] allocateFloatLocalArray(int size) {
        return item().allocate(float[].class, size);
    }

    /** A local array of the group, which holds nothing yet. */
    public double[] allocateDoubleLocalArray(int size) {
        return item().allocate(double[].class, size);
    }

    /** A local array of the group, which holds nothing yet. */
    public HalfFloat[] allocateHalfFloatLocalArray(int size) {
        return item().allocate(HalfFloat[].class, size);
    }

    /** A local array of the group, which holds nothing yet. */
    public Half2[] allocateHalf2LocalArray(int size) {
        return item().allocate(Half2[].class, size);
    }

    /** Sum over the warp: partners at distance 16, 8, 4, 2, 1 add, so that all lanes get the same bits. */
    public float simdSum(float val) {
        return item().sum(val);
    }

    /** The value of the lane {@code delta} further on; this lane's if the warp ends before. */
    public float simdShuffleDown(float val, int delta) {
        return item().shuffleDown(val, delta);
    }

    /** The value of lane 0. */
    public float simdBroadcastFirst(float val) {
        return item().broadcastFirst(val);
    }

    /** Adds to an element of device memory. */
    public void atomicAdd(IntArray array, int index, int val) {
        Atomics.add(array, index, val);
    }

    /** Adds to element 0 of a local array; other indices are refused, since TornadoVM 5.2.0 ignores the index. */
    public void atomicAdd(int[] array, int index, int val) {
        if (index != 0) {
            throw new UnsupportedOperationException("atomicAdd to element " + index
                    + " of a local array: TornadoVM 5.2.0 adds to element 0 whatever the index; use a device IntArray");
        }
        Atomics.add(array, val);
    }

    /** Adds to an element of device memory. */
    public void atomicAdd(LongArray array, int index, long val) {
        Atomics.add(array, index, val);
    }

    /** Adds to an element of device memory; the order of additions is not fixed. */
    public void atomicAdd(FloatArray array, int index, float val) {
        Atomics.add(array, index, val);
    }

    /** Reads a half of a tile of swizzled 32-byte rows. */
    public HalfFloat swizzleLoadFp16Stride32(HalfFloat[] arr, int row, int col, int stride) {
        return Swizzle.load(arr, Swizzle.wide(2 * (row * stride + col)) / 2);
    }

    /** Writes a half of a tile of swizzled 32-byte rows. */
    public void swizzleStoreFp16Stride32(HalfFloat[] arr, int row, int col, int stride, HalfFloat v) {
        Swizzle.store(arr, Swizzle.wide(2 * (row * stride + col)) / 2, v);
    }

    /** Reads a half of a tile of swizzled 16-byte rows. */
    public HalfFloat swizzleLoadFp16Stride16(HalfFloat[] arr, int row, int col, int stride) {
        return Swizzle.load(arr, Swizzle.narrow(2 * (row * stride + col)) / 2);
    }

    /** Writes a half of a tile of swizzled 16-byte rows. */
    public void swizzleStoreFp16Stride16(HalfFloat[] arr, int row, int col, int stride, HalfFloat v) {
        Swizzle.store(arr, Swizzle.narrow(2 * (row * stride + col)) / 2, v);
    }

    /** Reads a byte of a swizzled tile. */
    public byte swizzleLoadInt8(byte[] arr, int row, int col, int stride) {
        return Swizzle.load(arr, Swizzle.wide(row * stride + col));
    }

    /** Writes a byte of a swizzled tile. */
    public void swizzleStoreInt8(byte[] arr, int row, int col, int stride, byte v) {
        Swizzle.store(arr, Swizzle.wide(row * stride + col), v);
    }

    /** Writes a half of a tile that {@link #mmaLoadBSwizzled(HalfFloat[], int, int)} reads. */
    public void mmaStoreBSwizzled(HalfFloat[] arr, int row, int col, int stride, HalfFloat value, int byteOffset) {
        Swizzle.store(arr, (Swizzle.wide(2 * (row * stride + col)) + byteOffset) / 2, value);
    }

    /** This lane's 4 elements of a 16 x 8 accumulator. */
    public float[] mmaFragment(float v) {
        return new float[] {v, v, v, v};
    }

    /** This lane's part of 16 x 16 halves of A; {@code wmmaK} halves are a row of the tile. */
    public HalfFloat[] mmaLoadA(int[] aTile, int wmmaK) {
        return mmaLoadA(aTile, wmmaK, 0);
    }

    /** This lane's part of 16 x 16 halves of A, {@code byteOffset} bytes into the tile. */
    public HalfFloat[] mmaLoadA(int[] aTile, int wmmaK, int byteOffset) {
        return item().matrices().halvesOfA(aTile, wmmaK * Short.BYTES, byteOffset);
    }

    /** This lane's part of 16 x 8 halves of B; 8 halves are a row of the tile. */
    public HalfFloat[] mmaLoadB(int[] bTile, int wmmaK) {
        return mmaLoadB(bTile, wmmaK, 0);
    }

    /** This lane's part of 16 x 8 halves of B, {@code byteOffset} bytes into the tile. */
    public HalfFloat[] mmaLoadB(int[] bTile, int wmmaK, int byteOffset) {
        return item().matrices().halvesOfB(bTile, byteOffset);
    }

    /** This lane's part of 16 x 8 halves of B from a swizzled tile. */
    public HalfFloat[] mmaLoadBSwizzled(HalfFloat[] bTile, int wmmaK) {
        return mmaLoadBSwizzled(bTile, wmmaK, 0);
    }

    /** This lane's part of 16 x 8 halves of B from a swizzled tile, {@code byteOffset} bytes into it. */
    public HalfFloat[] mmaLoadBSwizzled(HalfFloat[] bTile, int wmmaK, int byteOffset) {
        return item().matrices().swizzledHalvesOfB(bTile, byteOffset);
    }

    /** D = A B + C of the warp, halves into floats. */
    public float[] mma(HalfFloat[] fragA, HalfFloat[] fragB, float[] fragC, MMAShape mmaShape) {
        requireShape(mmaShape, MMAShape.M16N8K16);
        return item().matrices().multiplyHalves(fragA, fragB, fragC);
    }

    /** D = A B + C of the warp, bfloat16 bits into floats. */
    public float[] mmaBF16(HalfFloat[] fragA, HalfFloat[] fragB, float[] fragC, MMAShape mmaShape) {
        requireShape(mmaShape, MMAShape.M16N8K16);
        return item().matrices().multiplyBfloat16(fragA, fragB, fragC);
    }

    /** Writes the warp's 16 x 8 floats to a matrix of {@code dimN} columns. */
    public void mmaStore(float[] fragD, FloatArray c, int tileRow, int tileCol, int dimN) {
        item().matrices().store(fragD, c, tileRow, tileCol, dimN);
    }

    /** This lane's 4 elements of a 16 x 8 accumulator. */
    public int[] mmaFragmentInt(int initValue) {
        return new int[] {initValue, initValue, initValue, initValue};
    }

    /** This lane's part of 16 x 32 bytes of A; {@code tileK} bytes are a row of the tile. */
    public byte[] mmaLoadAInt8(int[] aTile, int tileK) {
        return item().matrices().bytesOfA(aTile, tileK);
    }

    /** This lane's part of 32 x 8 bytes of B; a row of the tile holds two rows of B, byte pairs by column. */
    public byte[] mmaLoadBInt8(int[] bTile, int tileK) {
        return item().matrices().bytesOfB(bTile);
    }

    /** D = A B + C of the warp, 8-bit integers into ints. */
    public int[] mmaInt8(byte[] fragA, byte[] fragB, int[] fragC, MMAShape shape) {
        requireShape(shape, MMAShape.M16N8K32);
        return item().matrices().multiplyInt8(fragA, fragB, fragC);
    }

    /** Writes the warp's 16 x 8 ints to a matrix of {@code stride} columns. */
    public void mmaStoreInt(int[] fragD, IntArray out, int row, int col, int stride) {
        item().matrices().store(fragD, out, row, col, stride);
    }

    /** As {@link #mmaLoadAInt8}. */
    public byte[] mmaLoadAFP8(int[] aTile, int tileK) {
        return item().matrices().bytesOfA(aTile, tileK);
    }

    /** As {@link #mmaLoadBInt8}. */
    public byte[] mmaLoadBFP8(int[] bTile, int tileK) {
        return item().matrices().bytesOfB(bTile);
    }

    /** D = A B + C of the warp, e4m3 into floats. */
    public float[] mmaFP8E4M3(byte[] fragA, byte[] fragB, float[] fragC, MMAShape shape) {
        requireShape(shape, MMAShape.M16N8K32);
        return item().matrices().multiplyE4m3(fragA, fragB, fragC);
    }

    /** D = A B + C of the warp, e5m2 into floats. */
    public float[] mmaFP8E5M2(byte[] fragA, byte[] fragB, float[] fragC, MMAShape shape) {
        requireShape(shape, MMAShape.M16N8K32);
        return item().matrices().multiplyE5m2(fragA, fragB, fragC);
    }

    private static void requireShape(MMAShape shape, MMAShape possible) {
        if (shape != possible) {
            throw new IllegalArgumentException("these operands multiply as " + possible + ", not as " + shape);
        }
    }

    /** Starts a copy of two halves to an int of local memory. */
    public void asyncCopyToLocal(int[] dstTile, int dstIndex, HalfFloatArray src, int srcIndex) {
        requireAligned(srcIndex, 2);
        int low = src.get(srcIndex).getHalfFloatValue() & 0xFFFF;
        int high = src.get(srcIndex + 1).getHalfFloatValue() & 0xFFFF;
        item().copies().start(dstTile, dstIndex, low | (high << 16));
    }

    /** Starts a copy of four bytes to an int of local memory. */
    public void asyncCopyToLocal(int[] dstTile, int dstIndex, FP8Array src, int srcIndex) {
        requireAligned(srcIndex, 4);
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value |= (src.get(srcIndex + i) & 0xFF) << (8 * i);
        }
        item().copies().start(dstTile, dstIndex, value);
    }

    /** Starts a copy of four bytes to an int of local memory. */
    public void asyncCopyToLocal(int[] dstTile, int dstIndex, ByteArray src, int srcIndex) {
        requireAligned(srcIndex, 4);
        int value = 0;
        for (int i = 0; i < 4; i++) {
            value |= (src.get(srcIndex + i) & 0xFF) << (8 * i);
        }
        item().copies().start(dstTile, dstIndex, value);
    }

    private static void requireAligned(int index, int elements) {
        if (index % elements != 0) {
            throw new IllegalArgumentException(
                    "an asynchronous copy from element " + index + ", which is not a multiple of " + elements);
        }
    }

    /** Puts the copies that this work-item has started since the last call into a group. */
    public void asyncCopyCommit() {
        item().copies().commit();
    }

    /** Waits until at most {@code groups} groups of this work-item's copies are under way. */
    public void asyncCopyWaitGroup(int groups) {
        item().copies().await(groups);
    }
}
