package org.hotrow.allocator;

import org.eclipse.collections.impl.map.mutable.primitive.IntIntHashMap;

/** The free blocks of a queue after holds and drops that are planned but not done. */
final class RefForecast {
    private final RefQueue queue;
    private final IntIntHashMap change = new IntIntHashMap();
    private int free;

    RefForecast(RefQueue queue) {
        this.queue = queue;
        free = queue.free();
    }

    void hold(int block) {
        if (refs(block) == 0) {
            free--;
        }
        change.addToValue(block, 1);
    }

    void drop(int block) {
        change.addToValue(block, -1);
        if (refs(block) == 0) {
            free++;
        }
    }

    /** Free blocks once all this is done; below 0 if too many were taken. */
    int free() {
        return free;
    }

    /** Takes blocks, more than are free if need be. */
    void take(int blocks) {
        free -= blocks;
    }

    private int refs(int block) {
        return queue.refs(block) + change.get(block);
    }
}
