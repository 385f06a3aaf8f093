package org.hotrow.engine;

/**
 * Ids by (key descending, id ascending), sorted only as far as they are asked for. Allocates nothing after its making.
 *
 * <pre>
 * ids   [ heap, the best of the rest first | ranked, last to first ]
 *         0 .. rest-1                        rest .. size-1
 * </pre>
 *
 * n ids take O(n) steps to start with and O(log n) for each further rank. Keys that are NaN or -infinity are left out.
 */
final class Ranking {
    private final int[] ids;
    private double[] keys = new double[0];
    private int size;
    private int rest;

    /** Room for {@code capacity} ids. */
    Ranking(int capacity) {
        ids = new int[capacity];
    }

    /** Begins a ranking of the ids 0 to {@code keys.length - 1}; the keys must stay until it is done with. */
    void start(double[] keys) {
        this.keys = keys;
        size = 0;
        for (int id = 0; id < keys.length; id++) {
            if (keys[id] > Double.NEGATIVE_INFINITY) {
                ids[size++] = id;
            }
        }
        rest = size;
        for (int parent = size / 2 - 1; parent >= 0; parent--) {
            sink(parent);
        }
    }

    /** Ids that have a rank. */
    int size() {
        return size;
    }

    /** The id of a rank, from 0. */
    int at(int rank) {
        while (size - rest <= rank) {
            rest--;
            int best = ids[0];
            ids[0] = ids[rest];
            ids[rest] = best;
            sink(0);
        }
        return ids[size - 1 - rank];
    }

    /** Whether {@code id} ranks before {@code other}. */
    boolean before(int id, int other) {
        return keys[id] > keys[other] || (keys[id] == keys[other] && id < other);
    }

    private void sink(int from) {
        int parent = from;
        int child = 2 * parent + 1;
        while (child < rest) {
            if (child + 1 < rest && before(ids[child + 1], ids[child])) {
                child++;
            }
            if (before(ids[parent], ids[child])) {
                return;
            }
            int id = ids[parent];
            ids[parent] = ids[child];
            ids[child] = id;
            parent = child;
            child = 2 * parent + 1;
        }
    }
}
