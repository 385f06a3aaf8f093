package org.hotrow.emulator;

import java.util.Arrays;

/** What rewritten kernels call. Not for other code. */
public final class Probe {
    private Probe() {}

    /** The next instruction calls a method that may touch memory or other work-items. */
    public static void at(int site) {
        Tracer tracer = Tracer.active();
        if (tracer != null) {
            tracer.at(site);
        }
    }

    /** The next instruction reads an element of a Java array. */
    public static void load(Object array, int index, int site) {
        Shadow shadow = Tracer.shadow(array);
        if (shadow != null) {
            at(site);
            shadow.read(index);
        }
    }

    /** The next instruction writes an element of a Java array. */
    public static void store(Object array, int index, int site) {
        Shadow shadow = Tracer.shadow(array);
        if (shadow != null) {
            at(site);
            shadow.write(index);
        }
    }

    /** A private array of numbers was made: like the device's it holds nothing. */
    public static void fresh(Object array) {
        if (Tracer.active() == null) {
            return;
        }
        switch (array) {
            case byte[] bytes -> Arrays.fill(bytes, (byte) LocalType.POISON);
            case short[] shorts -> Arrays.fill(shorts, (short) LocalType.POISON);
            case int[] ints -> Arrays.fill(ints, LocalType.POISON);
            case long[] longs -> Arrays.fill(longs, LocalType.POISON);
            case float[] floats -> Arrays.fill(floats, Float.NaN);
            case double[] doubles -> Arrays.fill(doubles, Double.NaN);
            default -> {}
        }
    }
}
