package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Tasks of one work-item. */
final class Kernels {
    private Kernels() {}

    /** out = in + step. */
    static void add(IntArray in, int step, IntArray out) {
        for (int i = 0; i < in.getSize(); i++) {
            out.set(i, in.get(i) + step);
        }
    }

    static void increment(IntArray values) {
        for (int i = 0; i < values.getSize(); i++) {
            values.set(i, values.get(i) + 1);
        }
    }

    static void store(IntArray out, int index, int value) {
        out.set(index, value);
    }

    static void storeLong(LongArray out, int index, long value) {
        out.set(index, value);
    }

    static void copyBytes(ByteArray in, int from, int count, ByteArray out) {
        for (int i = 0; i < count; i++) {
            out.set(i, in.get(from + i));
        }
    }
}
