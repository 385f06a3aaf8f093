package uk.ac.manchester.tornado.api;

import java.util.Arrays;
import org.hotrow.emulator.Launch.Extent;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;

/** The sizes of a launch, within the limits of a CUDA device. */
record Grid(Extent global, Extent local) {
    /** For a task without kernel context. */
    static final Grid ONE = new Grid(Extent.ONE, Extent.ONE);

    private static final int GROUP_ITEMS = 1024;
    private static final long[] LOCAL_LIMITS = {1024, 1024, 64};
    private static final long[] GROUPS_LIMITS = {Integer.MAX_VALUE, 65_535, 65_535};

    /**
     * Copies the sizes of a worker grid.
     *
     * @throws TornadoRuntimeException if a size is missing or outside of a limit
     */
    static Grid of(String task, @Nullable WorkerGrid worker) {
        if (worker == null) {
            throw refused(task, "has no worker grid; add one for this name to the plan's GridScheduler");
        }
        long[] global = worker.getGlobalWork();
        long[] local = worker.getLocalWork();
        if (local == null) {
            throw refused(task, "has no local work; call setLocalWork on its worker grid");
        }
        for (int d = 0; d < 3; d++) {
            requireDimension(task, "xyz".charAt(d), global[d], local[d], LOCAL_LIMITS[d], GROUPS_LIMITS[d]);
        }
        if (local[0] * local[1] * local[2] > GROUP_ITEMS) {
            throw refused(task, "has groups of " + Arrays.toString(local) + " work-items; the limit is " + GROUP_ITEMS);
        }
        return new Grid(extent(global), extent(local));
    }

    private static void requireDimension(
            String task, char axis, long global, long local, long localLimit, long groupsLimit) {
        if (global < 1 || global > Integer.MAX_VALUE) {
            throw refused(task, "has global work " + global + " in " + axis + "; indices are ints from 0");
        }
        if (local < 1 || local > localLimit) {
            throw refused(task, "has local work " + local + " in " + axis + "; it must be 1 to " + localLimit);
        }
        if (global % local != 0) {
            throw refused(
                    task, "has global work " + global + " in " + axis + ", not a multiple of local work " + local);
        }
        if (global / local > groupsLimit) {
            throw refused(task, "has " + global / local + " groups in " + axis + "; the limit is " + groupsLimit);
        }
    }

    private static Extent extent(long[] sizes) {
        return new Extent((int) sizes[0], (int) sizes[1], (int) sizes[2]);
    }

    private static TornadoRuntimeException refused(String task, String problem) {
        return new TornadoRuntimeException("task " + task + " " + problem);
    }
}
