package org.hotrow.modelloader;

import java.util.Arrays;

/** Merges waiting to be done, the lowest rank first, of one rank the leftmost: a binary heap. */
final class MergeQueue {
    private long[] heap;
    private int size;

    MergeQueue(int capacity) {
        heap = new long[Math.max(capacity, 1)];
    }

    boolean isEmpty() {
        return size == 0;
    }

    void add(int rank, int position) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size + (size >> 1) + 1);
        }
        long entry = ((long) rank << 32) | position;
        int at = size++;
        while (at > 0 && heap[(at - 1) / 2] > entry) {
            heap[at] = heap[(at - 1) / 2];
            at = (at - 1) / 2;
        }
        heap[at] = entry;
    }

    /** Removes and returns the first entry. */
    long poll() {
        long first = heap[0];
        long last = heap[--size];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child + 1 < size && heap[child + 1] < heap[child]) {
                child++;
            }
            if (child >= size || heap[child] >= last) {
                break;
            }
            heap[at] = heap[child];
            at = child;
        }
        heap[at] = last;
        return first;
    }

    static int rank(long entry) {
        return (int) (entry >>> 32);
    }

    static int position(long entry) {
        return (int) entry;
    }
}
