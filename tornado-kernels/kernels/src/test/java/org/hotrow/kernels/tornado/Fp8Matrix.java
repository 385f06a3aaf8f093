package org.hotrow.kernels.tornado;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * A matrix of block-scaled codes, for a test: all finite codes occur, and scales differ from block to block by powers and
 * fractions of two.
 */
@SuppressWarnings("ArrayRecordComponent") // Not compared.
record Fp8Matrix(int outputs, int inputs, byte[] codes, float[] scale) {
    static Fp8Matrix of(int outputs, int inputs, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] codes = new byte[outputs * inputs];
        for (int i = 0; i < codes.length; i++) {
            int code = random.nextInt(254);
            codes[i] = (byte) (code < 127 ? code : code + 1);
        }
        float[] scale = new float[Math.ceilDiv(outputs, 128) * Math.ceilDiv(inputs, 128)];
        for (int i = 0; i < scale.length; i++) {
            scale[i] = (float) Math.scalb(1 + random.nextDouble(), random.nextInt(6) - 10);
        }
        return new Fp8Matrix(outputs, inputs, codes, scale);
    }

    LongArray words() {
        long[] words = new long[codes.length / 8];
        ByteBuffer.wrap(codes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words);
        return LongArray.fromArray(words);
    }

    /** The bytes of an array of longs, the lowest of each first. */
    static byte[] bytes(LongArray words) {
        byte[] bytes = new byte[8 * words.getSize()];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().put(words.toHeapArray());
        return bytes;
    }

    FloatArray scales() {
        return FloatArray.fromArray(scale);
    }

    /** The decoded value of a code. */
    float value(int output, int input) {
        return org.hotrow.kernels.E4m3.decode(codes[output * inputs + input])
                * scale[output / 128 * Math.ceilDiv(inputs, 128) + input / 128];
    }
}
