package org.hotrow.emulator;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * What only the emulator may do with arrays: their class implements it and installs the implementation when it is
 * initialised, since TornadoVM's arrays have no public methods for it.
 */
public abstract class ArrayMemory {
    private static @Nullable ArrayMemory installed;

    /** For the arrays' own class. */
    protected ArrayMemory() {}

    /** Called once, by the arrays' own class. */
    public static synchronized void install(ArrayMemory memory) {
        if (installed != null) {
            throw new IllegalStateException("arrays have installed their memory already");
        }
        installed = memory;
    }

    /** The one implementation. */
    public static synchronized ArrayMemory get() {
        if (installed == null) {
            throw new IllegalStateException("there is no array yet");
        }
        return installed;
    }

    /** An array of the class of {@code like} whose elements are a segment; it has no header. */
    public abstract TornadoNativeArray over(TornadoNativeArray like, MemorySegment elements);

    /** Who hears of accesses to the array. */
    public abstract @Nullable Watch watch(TornadoNativeArray array);

    /** Sets who hears of accesses to the array; null for nobody. */
    public abstract void setWatch(TornadoNativeArray array, @Nullable Watch watch);

    /** Whether all of a device array has been filled from the host, or was there before; otherwise it holds poison. */
    public abstract boolean isFilled(TornadoNativeArray array);

    /**
     * Binds an array to memory of others: graphs that execute for the first time from now on use that memory as the
     * array's device copy, whatever the array's own size, and never copy it. Arrays of several types may be bound to
     * the same memory.
     *
     * @param elements where element 0 is first, a multiple of the element's size long
     */
    public abstract void bind(TornadoNativeArray array, MemorySegment elements);

    /** What an array is bound to, or null. */
    public abstract @Nullable MemorySegment bound(TornadoNativeArray array);

    /** Notes that all of a device array has been filled. */
    public abstract void setFilled(TornadoNativeArray array);
}
