package uk.ac.manchester.tornado.api;

import org.jspecify.annotations.Nullable;

/** The sizes of a grid. Whether they fit the device is found out when a task runs. */
public abstract class AbstractWorkerGrid implements WorkerGrid {
    private long[] global;
    private long @Nullable [] local;

    /** A grid without local sizes. */
    protected AbstractWorkerGrid(long x, long y, long z) {
        global = new long[] {x, y, z};
    }

    @Override
    public long[] getGlobalWork() {
        return global.clone();
    }

    @Override
    public long @Nullable [] getLocalWork() {
        return local == null ? null : local.clone();
    }

    @Override
    public void setGlobalWork(long x, long y, long z) {
        global = new long[] {x, y, z};
    }

    @Override
    public void setLocalWork(long x, long y, long z) {
        local = new long[] {x, y, z};
    }
}
