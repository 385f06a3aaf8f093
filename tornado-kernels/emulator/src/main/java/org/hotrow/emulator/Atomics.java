package org.hotrow.emulator;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Atomic additions to device memory. Work-items run one at a time, so only the checks need to know. */
public final class Atomics {
    private Atomics() {}

    /** Adds to an element. */
    public static void add(IntArray array, int index, int value) {
        MemorySegment memory = announced(array, index);
        memory.setAtIndex(ValueLayout.JAVA_INT, index, memory.getAtIndex(ValueLayout.JAVA_INT, index) + value);
    }

    /** Adds to an element. */
    public static void add(LongArray array, int index, long value) {
        MemorySegment memory = announced(array, index);
        memory.setAtIndex(ValueLayout.JAVA_LONG, index, memory.getAtIndex(ValueLayout.JAVA_LONG, index) + value);
    }

    /** Adds to an element, in the order of the schedule. */
    public static void add(FloatArray array, int index, float value) {
        MemorySegment memory = announced(array, index);
        memory.setAtIndex(ValueLayout.JAVA_FLOAT, index, memory.getAtIndex(ValueLayout.JAVA_FLOAT, index) + value);
    }

    /** Adds to element 0 of a local array. */
    public static void add(int[] local, int value) {
        Shadow shadow = Tracer.shadow(local);
        if (shadow != null) {
            shadow.atomic(0);
        }
        local[0] += value;
    }

    private static MemorySegment announced(TornadoNativeArray array, int index) {
        Watch watch = ArrayMemory.get().watch(array);
        if (watch != null) {
            watch.atomic(index);
        }
        return array.getSegment();
    }
}
