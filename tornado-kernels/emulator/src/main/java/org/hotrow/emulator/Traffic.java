package org.hotrow.emulator;

import java.util.Arrays;

/** What a launch has moved to and from one array so far. */
final class Traffic {
    static final int SECTOR = 32;
    static final int BANKS = 32;
    static final int BANK_BYTES = 4;

    private final String name;
    private final int elementBytes;
    private final boolean local;
    /** Of a local array: where it begins in local memory. Device arrays begin at a sector. */
    private final int base;

    private final FirstTouch ofLaunch;
    private final FirstTouch ofFootprint;
    private long requestedRead;
    private long requestedWritten;
    private long usedBytes;
    private long fetchedSectors;
    private long wavefronts;
    private long conflicts;

    private Traffic(String name, int elementBytes, boolean local, int base, FirstTouch ofFootprint) {
        this.name = name;
        this.elementBytes = elementBytes;
        this.local = local;
        this.base = base;
        this.ofLaunch = new FirstTouch(elementBytes);
        this.ofFootprint = ofFootprint;
    }

    /** Of a device array, whose accesses count in a footprint too. */
    static Traffic device(String name, int elementBytes, FirstTouch ofFootprint) {
        return new Traffic(name, elementBytes, false, 0, ofFootprint);
    }

    /** Of a local array that begins at {@code base}. */
    static Traffic local(String name, int elementBytes, int base) {
        return new Traffic(name, elementBytes, true, base, new FirstTouch(elementBytes));
    }

    boolean isOf(String otherName, int otherBase) {
        return name.equals(otherName) && base == otherBase;
    }

    int elementBytes() {
        return elementBytes;
    }

    /** An element is touched. */
    void touch(int index, boolean reads, boolean writes) {
        if (reads) {
            requestedRead += elementBytes;
        }
        if (writes) {
            requestedWritten += elementBytes;
        }
        if (!local) {
            ofLaunch.touch(index, reads, writes);
            ofFootprint.touch(index, reads, writes);
        }
    }

    /** The accesses of a warp's lanes at one instruction. */
    void warpAccess(WarpAccess access) {
        if (local) {
            banks(access);
        } else {
            sectors(access);
        }
    }

    private void sectors(WarpAccess access) {
        long covered = 0;
        long sectors = 0;
        for (int i = 0; i < access.count(); i++) {
            long from = access.offset(i);
            long to = from + access.bytes(i);
            usedBytes += Math.max(0, to - Math.max(from, covered));
            fetchedSectors += Math.max(0, (to - 1) / SECTOR + 1 - Math.max(from / SECTOR, sectors));
            covered = Math.max(covered, to);
            sectors = Math.max(sectors, (to - 1) / SECTOR + 1);
        }
    }

    /** Lanes are served at once if no two want different words of a bank; wide accesses go by half a warp. */
    private void banks(WarpAccess access) {
        boolean wide = elementBytes > BANK_BYTES;
        int parts = wide ? 2 : 1;
        int[] wordsOfBank = new int[BANKS];
        for (int part = 0; part < parts; part++) {
            Arrays.fill(wordsOfBank, 0);
            int most = 0;
            long words = 0;
            for (int i = 0; i < access.count(); i++) {
                if (wide && access.lane(i) / 16 != part) {
                    continue;
                }
                long from = base + access.offset(i);
                long end = (from + access.bytes(i) - 1) / BANK_BYTES + 1;
                for (long word = Math.max(from / BANK_BYTES, words); word < end; word++) {
                    most = Math.max(most, ++wordsOfBank[(int) (word % BANKS)]);
                }
                words = Math.max(words, end);
            }
            wavefronts += most;
            conflicts += Math.max(0, most - 1);
        }
    }

    TaskMeter.Array device() {
        return new TaskMeter.Array(
                name,
                elementBytes,
                requestedRead,
                requestedWritten,
                ofLaunch.bytesRead(),
                ofLaunch.bytesWritten(),
                usedBytes,
                fetchedSectors * SECTOR);
    }

    TaskMeter.Local local() {
        return new TaskMeter.Local(name, requestedRead, requestedWritten, wavefronts, conflicts);
    }
}
