package org.hotrow.engine;

import java.util.Arrays;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The tables of {@link StepArrays} on a device. */
final class GraphTables {
    final IntArray block;
    final IntArray host;
    final IntArray index;
    final IntArray hot;
    final IntArray resetSeat;

    private final StepArrays step;
    private final Uploads uploads;

    GraphTables(StepArrays step, DeviceArrays arrays, Uploads uploads) {
        this.step = step;
        this.uploads = uploads;
        block = arrays.stepInts(step.blockTable.length);
        host = arrays.stepInts(step.hostTable.length);
        index = arrays.stepInts(step.indexTable.length);
        hot = arrays.stepInts(step.hotTable.length);
        resetSeat = arrays.stepInts(step.resetSeat.length);
    }

    /** Sends the tables of the step. */
    void upload() {
        uploads.ints(step.blockTable, block);
        uploads.ints(step.hostTable, host);
        uploads.ints(step.indexTable, index);
        uploads.ints(step.hotTable, hot);
        uploads.ints(step.resetSeat, resetSeat);
    }

    /** From now on no seat is to be reset. */
    void uploadNoResets() {
        int[] none = new int[step.resetSeat.length];
        Arrays.fill(none, -1);
        uploads.ints(none, resetSeat);
    }
}
