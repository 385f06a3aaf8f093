package org.hotrow.allocator;

import java.lang.foreign.MemorySegment;

/** An import whose rows and keys are tags: {@link SimDevice} knows what they have to be. */
record SimImport(int tokens) implements Import {
    @Override
    public void readRows(int layer, int page, MemorySegment target) {
        throw new AssertionError("the simulation moves tags, no bytes");
    }

    @Override
    public void readKeys(int anchorLayer, int page, int count, MemorySegment target) {
        throw new AssertionError("the simulation moves tags, no bytes");
    }
}
