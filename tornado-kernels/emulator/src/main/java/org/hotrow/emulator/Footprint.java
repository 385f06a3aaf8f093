package org.hotrow.emulator;

import java.util.IdentityHashMap;

/**
 * What DRAM must move for several metered launches together: what one of them wrote, another finds in the cache.
 * {@link Emulator#use} starts one.
 */
public final class Footprint {
    private final IdentityHashMap<Shadow, FirstTouch> arrays = new IdentityHashMap<>();

    Footprint() {}

    /** First reads and written elements of all arrays, in bytes. */
    public synchronized long uniqueBytes() {
        return arrays.values().stream()
                .mapToLong(touch -> touch.bytesRead() + touch.bytesWritten())
                .sum();
    }

    synchronized FirstTouch of(Shadow array) {
        return arrays.computeIfAbsent(array, shadow -> new FirstTouch(shadow.elementBytes()));
    }
}
