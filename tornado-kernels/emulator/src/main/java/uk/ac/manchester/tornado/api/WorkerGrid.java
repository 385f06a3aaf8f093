package uk.ac.manchester.tornado.api;

import org.jspecify.annotations.Nullable;

/** How many work-items run a task, and in groups of how many. */
public interface WorkerGrid {
    /** Number of dimensions, 1 to 3. */
    int dimension();

    /** Work-items in x, y and z. */
    long[] getGlobalWork();

    /** Work-items of a group in x, y and z; null if they were never set. */
    long @Nullable [] getLocalWork();

    /** Sets the number of work-items: each a multiple of its local number. */
    void setGlobalWork(long x, long y, long z);

    /** Sets the number of work-items of a group: at most 1,024 in all. */
    void setLocalWork(long x, long y, long z);
}
