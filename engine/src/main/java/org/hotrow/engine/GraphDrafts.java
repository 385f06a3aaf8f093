package org.hotrow.engine;

import org.hotrow.kernels.tornado.GuessDrop;
import org.hotrow.modelloader.ModelConfig;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * What drafts add to a part of a step on a device of task graphs.
 *
 * @param guess {@code [maxRows]}: 0 for a known token, 1 for a guess, 2 for one that the device has dropped
 * @param sourceRow {@code [maxRows]}: rows of {@link Kept#features} that a pass of the drafter goes on from
 * @param selectionRow {@code [maxRows]}: rows of {@link Kept#selections} that it reuses
 */
record GraphDrafts(IntArray guess, IntArray sourceRow, IntArray selectionRow, Kept kept) {
    /** Ints that go up for a row. */
    static final int INTS = 3;

    /**
     * What the parts of a step and the drafter's passes over it leave, each its own rows.
     *
     * @param features {@code [rows][hidden]}: a row's source is not before it, so no part overwrites what a later one takes
     * @param selections {@code [rows][k]}, of the first pass, if later ones reuse them
     * @param fresh {@code [rows]}, scratch
     * @param unions {@code [rows][3]}, by the rows of parts: what {@link GuessDrop} has counted
     */
    record Kept(int rows, FloatArray features, IntArray selections, IntArray fresh, LongArray unions) {
        static Kept of(DeviceArrays arrays, ModelConfig config, int rows) {
            LongArray unions = new LongArray(CpuActivation.elements(rows, GuessDrop.COUNTERS));
            unions.init(0);
            return new Kept(
                    rows,
                    arrays.floats(CpuActivation.elements(rows, config.hiddenSize())),
                    arrays.ints(CpuActivation.elements(rows, selected(config))),
                    arrays.ints(rows),
                    arrays.adopt(unions));
        }

        static long bytes(ModelConfig config, int rows) {
            return 4L * rows * (config.hiddenSize() + selected(config) + 1) + 8L * rows * GuessDrop.COUNTERS;
        }

        private static int selected(ModelConfig config) {
            return config.indexer().shareForMtp() ? config.indexer().topK() : 0;
        }
    }

    static GraphDrafts of(DeviceArrays arrays, int maxRows, Kept kept) {
        return new GraphDrafts(arrays.stepInts(maxRows), arrays.stepInts(maxRows), arrays.stepInts(maxRows), kept);
    }
}
