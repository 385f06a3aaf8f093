package org.hotrow.emulator;

import java.util.List;

/**
 * What one launch of a task moved.
 *
 * @param groups groups launched
 * @param barriers passed, of all groups
 * @param arrays device arrays, in the order of the kernel's parameters
 * @param locals local arrays, all groups together
 */
public record TaskMeter(String task, int groups, long barriers, List<Array> arrays, List<Local> locals) {
    /**
     * Traffic of a device array, in bytes. Arrays are taken to begin at a sector.
     *
     * @param requestedRead by all work-items together; atomic operations count as read and written
     * @param requestedWritten by all work-items together
     * @param uniqueRead first reads of elements that the launch had not written: what DRAM must deliver
     * @param uniqueWritten different elements written: what DRAM must take
     * @param used different bytes of a warp access, over all warp accesses
     * @param fetched bytes of the 32-byte sectors of a warp access, over all warp accesses
     */
    public record Array(
            String name,
            int elementBytes,
            long requestedRead,
            long requestedWritten,
            long uniqueRead,
            long uniqueWritten,
            long used,
            long fetched) {
        /** Share of the fetched bytes that lanes asked for; 1 if nothing was fetched. */
        public double sectorUse() {
            return fetched == 0 ? 1 : (double) used / fetched;
        }
    }

    /**
     * Traffic of a local array.
     *
     * @param wavefronts rounds in which 32 banks of 4 bytes served all warp accesses
     * @param bankConflicts rounds beyond the first of each warp access (of each half warp for 8-byte elements)
     */
    public record Local(String name, long requestedRead, long requestedWritten, long wavefronts, long bankConflicts) {}

    /** Copies the lists. */
    public TaskMeter {
        arrays = List.copyOf(arrays);
        locals = List.copyOf(locals);
    }

    /** The device array of a kernel parameter. */
    public Array array(String name) {
        return arrays.stream()
                .filter(array -> array.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("task " + task + " has no array " + name));
    }

    /** What DRAM must move: first reads and written elements of all arrays. */
    public long uniqueBytes() {
        return arrays.stream()
                .mapToLong(array -> array.uniqueRead() + array.uniqueWritten())
                .sum();
    }

    /** What all work-items asked for, of all device arrays. */
    public long requestedBytes() {
        return arrays.stream()
                .mapToLong(array -> array.requestedRead() + array.requestedWritten())
                .sum();
    }

    /** Rounds that local memory lost to bank conflicts. */
    public long bankConflicts() {
        return locals.stream().mapToLong(Local::bankConflicts).sum();
    }
}
