package org.hotrow.emulator;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The 4-byte copies to local memory that a work-item has under way. Until the work-item waits for their group the
 * destination holds poison; copies that nobody waits for never land.
 */
public final class AsyncCopies {
    AsyncCopies() {}

    private static final class Copy {
        private final int[] tile;
        private final int index;
        private final int value;

        Copy(int[] tile, int index, int value) {
            this.tile = tile;
            this.index = index;
            this.value = value;
        }

        void land() {
            Shadow shadow = Tracer.shadow(tile);
            if (shadow != null) {
                shadow.landed(index);
            }
            tile[index] = value;
        }
    }

    private final Deque<List<Copy>> groups = new ArrayDeque<>();
    private List<Copy> open = new ArrayList<>();

    /** Starts a copy of 4 bytes that belongs to the next group. */
    public void start(int[] tile, int index, int value) {
        Shadow shadow = Tracer.shadow(tile);
        if (shadow != null) {
            shadow.copying(index);
        }
        tile[index] = LocalType.POISON;
        open.add(new Copy(tile, index, value));
    }

    /** Closes a group. */
    public void commit() {
        groups.addLast(open);
        open = new ArrayList<>();
    }

    /** Lands the oldest groups until {@code left} are under way. */
    public void await(int left) {
        while (groups.size() > left) {
            groups.removeFirst().forEach(Copy::land);
        }
    }
}
