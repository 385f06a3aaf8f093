package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.hotrow.kernels.tornado.Exponents;
import org.hotrow.kernels.tornado.Fp8Codes;
import org.hotrow.kernels.tornado.Variant;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What {@link KernelCheck}s are made with: a device, the tables of number codes, and seeded weights. */
final class CheckBench implements AutoCloseable {
    private static final int COUNTS = 8;

    final DeviceArrays arrays;
    final Variant variant;
    final FloatArray codes;
    final FloatArray exponents;

    private final Random random = new Random(1);
    private final Arena slabs = Arena.ofShared();

    CheckBench(DeviceArrays arrays, Variant variant) {
        this.arrays = arrays;
        this.variant = variant;
        codes = arrays.adopt(Fp8Codes.table());
        exponents = arrays.adopt(Exponents.table());
    }

    IntArray counts() {
        return ints(COUNTS);
    }

    /** Sent anew for each round. */
    IntArray ints(int count) {
        return arrays.stepInts(count);
    }

    /** Sent anew for each round. */
    FloatArray floats(int count) {
        return arrays.stepFloats(count);
    }

    /** Numbers between -1 and 1. */
    float[] values(int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = 2 * random.nextFloat() - 1;
        }
        return values;
    }

    FloatArray lasting(float[] values) {
        return arrays.adopt(FloatArray.fromArray(values));
    }

    /** Any codes but NaN. */
    byte[] e4m3(int count) {
        byte[] codes = new byte[count];
        for (int i = 0; i < count; i++) {
            codes[i] = (byte) (random.nextInt(127) | random.nextInt(2) << 7);
        }
        return codes;
    }

    /** Codes of numbers between -1 and 1. */
    short[] bf16(int count) {
        short[] codes = new short[count];
        for (int i = 0; i < count; i++) {
            codes[i] = (short) (Float.floatToRawIntBits(2 * random.nextFloat() - 1) >> Short.SIZE);
        }
        return codes;
    }

    LongArray words(byte[] codes) {
        long[] words = new long[codes.length / Long.BYTES];
        ByteBuffer.wrap(codes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
        return arrays.adopt(LongArray.fromArray(words));
    }

    LongArray words(short[] codes) {
        ByteBuffer bytes = ByteBuffer.allocate(codes.length * Short.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asShortBuffer().put(codes);
        return words(bytes.array());
    }

    /** Memory for a slab, all poison. */
    MemorySegment slab(long bytes) {
        MemorySegment memory = slabs.allocate(bytes, Long.BYTES);
        memory.fill(KvTensor.NAN_BYTE);
        return memory;
    }

    /** What kernels see of it: a copy on the device. */
    LongArray longs(MemorySegment slab) {
        LongArray token = arrays.longs(slab.byteSize() / Long.BYTES);
        arrays.upload(slab, token, 0);
        return token;
    }

    /** A copy, for a reference to write to. */
    MemorySegment copy(MemorySegment memory) {
        return slab(memory.byteSize()).copyFrom(memory);
    }

    @Override
    public void close() {
        slabs.close();
    }
}
