package uk.ac.manchester.tornado.api;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The grids of tasks, by {@code graph.task}. */
public final class GridScheduler {
    private final Map<String, WorkerGrid> grids = new HashMap<>();

    /** No grids yet. */
    public GridScheduler() {}

    /** The grid of one task. */
    public GridScheduler(String task, WorkerGrid grid) {
        addWorkerGrid(task, grid);
    }

    /** Sets the grid of a task, which is named {@code graph.task}. */
    public void addWorkerGrid(String task, WorkerGrid grid) {
        grids.put(task, grid);
    }

    /** The grid of a task, or null. */
    public @Nullable WorkerGrid get(String task) {
        return grids.get(task);
    }
}
