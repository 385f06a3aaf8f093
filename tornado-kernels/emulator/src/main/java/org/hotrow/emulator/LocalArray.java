package org.hotrow.emulator;

import org.jspecify.annotations.Nullable;

/**
 * A local array of a group.
 *
 * @param array the Java array that the kernel sees
 * @param site the instruction that allocated it, {@link Sites#UNKNOWN} without checks
 */
record LocalArray(
        LocalType type,
        Object array,
        int elements,
        int site,
        @Nullable Shadow shadow) {
    /** Whether the kernel means this array. */
    @SuppressWarnings("ReferenceEquality") // Arrays are told apart by identity.
    boolean is(Object other) {
        return array == other;
    }
}
