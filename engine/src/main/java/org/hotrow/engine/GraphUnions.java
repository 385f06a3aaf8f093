package org.hotrow.engine;

import org.hotrow.kernels.tornado.GuessDrop;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** What a device of task graphs counts as {@link SelectionUnion} does, by the rows of its parts. */
final class GraphUnions {
    private final LongArray device;
    private final long[] counters;

    GraphUnions(LongArray device) {
        this.device = device;
        counters = new long[device.getSize()];
    }

    /** Brings back what was counted. */
    void count(Uploads uploads) {
        uploads.download(device, counters);
    }

    long unions() {
        return sum(GuessDrop.UNIONS);
    }

    long positions() {
        return sum(GuessDrop.POSITIONS);
    }

    int largest() {
        long largest = 0;
        for (int i = GuessDrop.LARGEST; i < counters.length; i += GuessDrop.COUNTERS) {
            largest = Math.max(largest, counters[i]);
        }
        return Math.toIntExact(largest);
    }

    private long sum(int counter) {
        long sum = 0;
        for (int i = counter; i < counters.length; i += GuessDrop.COUNTERS) {
            sum += counters[i];
        }
        return sum;
    }
}
