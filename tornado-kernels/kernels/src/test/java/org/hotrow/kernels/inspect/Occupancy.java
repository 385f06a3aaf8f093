package org.hotrow.kernels.inspect;

/** How many warps of a kernel a multiprocessor of compute capability 9.0 holds, of 64. */
final class Occupancy {
    private static final int WARPS = 64;
    private static final int GROUPS = 32;
    private static final int REGISTERS = 65_536;
    /** A warp takes registers in steps of 8 for each lane. */
    private static final int REGISTER_STEP = 8;

    private static final int SHARED_BYTES = 228 * 1024;
    private static final int SHARED_STEP = 128;
    /** What the system takes of shared memory for each group. */
    private static final int SHARED_RESERVED = 1024;

    private Occupancy() {}

    /** Warps that are there at once, for groups of so many work-items. */
    static int warps(int registers, int sharedBytes, int groupSize) {
        int warpsOfGroup = Math.ceilDiv(groupSize, 32);
        int ofWarp = Math.ceilDiv(Math.max(registers, 1), REGISTER_STEP) * REGISTER_STEP * 32;
        // Each of the four schedulers has a quarter of the registers.
        int byRegisters = REGISTERS / 4 / ofWarp * 4 / warpsOfGroup;
        int shared = Math.ceilDiv(sharedBytes + SHARED_RESERVED, SHARED_STEP) * SHARED_STEP;
        int groups = Math.min(Math.min(GROUPS, WARPS / warpsOfGroup), Math.min(byRegisters, SHARED_BYTES / shared));
        return groups * warpsOfGroup;
    }

    /** The same as a share of 64. */
    static String share(int registers, int sharedBytes, int groupSize) {
        return "%d%%".formatted(100 * warps(registers, sharedBytes, groupSize) / WARPS);
    }
}
