package org.hotrow.emulator;

import java.util.Arrays;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.vectors.Half2;

/** What a local array can hold, its bytes on the device, and how an array of it that holds nothing looks. */
enum LocalType {
    BYTE(byte[].class, 1) {
        @Override
        Object poisoned(int elements) {
            byte[] array = new byte[elements];
            Arrays.fill(array, (byte) POISON);
            return array;
        }
    },
    INT(int[].class, 4) {
        @Override
        Object poisoned(int elements) {
            int[] array = new int[elements];
            Arrays.fill(array, POISON);
            return array;
        }
    },
    LONG(long[].class, 8) {
        @Override
        Object poisoned(int elements) {
            long[] array = new long[elements];
            Arrays.fill(array, POISON);
            return array;
        }
    },
    FLOAT(float[].class, 4) {
        @Override
        Object poisoned(int elements) {
            float[] array = new float[elements];
            Arrays.fill(array, Float.NaN);
            return array;
        }
    },
    DOUBLE(double[].class, 8) {
        @Override
        Object poisoned(int elements) {
            double[] array = new double[elements];
            Arrays.fill(array, Double.NaN);
            return array;
        }
    },
    HALF(HalfFloat[].class, 2) {
        @Override
        Object poisoned(int elements) {
            HalfFloat[] array = new HalfFloat[elements];
            Arrays.setAll(array, i -> new HalfFloat((short) POISON));
            return array;
        }
    },
    HALF2(Half2[].class, 4) {
        @Override
        Object poisoned(int elements) {
            Half2[] array = new Half2[elements];
            HalfFloat nothing = new HalfFloat((short) POISON);
            Arrays.setAll(array, i -> new Half2(nothing, nothing));
            return array;
        }
    };

    /** Of integers; floating-point numbers are NaN. */
    static final int POISON = -1;

    private final Class<?> arrays;
    private final int bytes;

    LocalType(Class<?> arrays, int bytes) {
        this.arrays = arrays;
        this.bytes = bytes;
    }

    /** The type whose arrays are of a class. */
    static LocalType of(Class<?> arrays) {
        for (LocalType type : values()) {
            if (type.arrays == arrays) {
                return type;
            }
        }
        throw new IllegalArgumentException("local memory holds no " + arrays.getSimpleName());
    }

    int bytes() {
        return bytes;
    }

    abstract Object poisoned(int elements);
}
