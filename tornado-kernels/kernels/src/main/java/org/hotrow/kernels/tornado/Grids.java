package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.WorkerGrid2D;

/** The worker grids of tasks, and the context that their kernels see. */
final class Grids {
    /** One for all tasks: a task graph has 1,024 nodes, of which a context of its own would take three. */
    static final KernelContext CONTEXT = new KernelContext();

    private Grids() {}

    /** A grid of at least {@code items} work-items in groups of {@code group}. */
    static void add(TaskGraph graph, GridScheduler grids, String task, int items, int group) {
        groups(graph, grids, task, Math.ceilDiv(items, group), 1, group);
    }

    /** A grid of {@code x} by {@code y} groups of {@code group} work-items in a row. */
    static void groups(TaskGraph graph, GridScheduler grids, String task, int x, int y, int group) {
        WorkerGrid2D grid = new WorkerGrid2D(Elements.count("work-items of " + task, x, group), y);
        grid.setLocalWork(group, 1, 1);
        grids.addWorkerGrid(graph.getTaskGraphName() + "." + task, grid);
    }
}
