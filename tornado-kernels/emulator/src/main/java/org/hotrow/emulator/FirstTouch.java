package org.hotrow.emulator;

import java.util.BitSet;

/** Which elements of a device array were read before anything wrote them, and which were written. */
final class FirstTouch {
    private final int elementBytes;
    private final BitSet read = new BitSet();
    private final BitSet written = new BitSet();

    FirstTouch(int elementBytes) {
        this.elementBytes = elementBytes;
    }

    /** What was written before it was read does not come from DRAM. */
    void touch(int index, boolean reads, boolean writes) {
        if (reads && !written.get(index)) {
            read.set(index);
        }
        if (writes) {
            written.set(index);
        }
    }

    long bytesRead() {
        return (long) read.cardinality() * elementBytes;
    }

    long bytesWritten() {
        return (long) written.cardinality() * elementBytes;
    }
}
