package org.hotrow.kernels.inspect;

import java.util.List;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * An operation, ready to be executed as a graph of its name.
 *
 * @param shape in words
 * @param floorBytes what DRAM, and the link to the host, must move
 * @param partialBytes partial results between its tasks, which the kernels state beside the floor
 * @param why why it moves or fetches more than the bar allows; empty if it doesn't
 * @param tasks in the order that the piece appends them
 */
record Launch(
        String name,
        String shape,
        long floorBytes,
        long partialBytes,
        String why,
        List<String> tasks,
        Piece piece,
        List<TornadoNativeArray> arrays) {
    /** Appends the tasks. */
    @FunctionalInterface
    interface Piece {
        void append(TaskGraph graph, GridScheduler grids);
    }

    /** What a plan is to do. */
    @FunctionalInterface
    interface Use {
        void of(TornadoExecutionPlan plan);
    }

    /** An operation without partial results. */
    static Launch of(
            String name, String shape, long floorBytes, List<String> tasks, Piece piece, TornadoNativeArray... arrays) {
        return new Launch(name, shape, floorBytes, 0, "", tasks, piece, List.of(arrays));
    }

    /** The same with partial results. */
    Launch withPartials(long bytes) {
        return new Launch(name, shape, floorBytes, bytes, why, tasks, piece, arrays);
    }

    /** The same, which can't keep to the bar. */
    Launch because(String reason) {
        return new Launch(name, shape, floorBytes, partialBytes, reason, tasks, piece, arrays);
    }

    /** Whether it moves no more than 1.05 x its floor besides the partial results, and uses 80 % of its sectors. */
    boolean keepsTheBar(long bytes, double sectorUse) {
        return bytes <= floorBytes * 1.05 + partialBytes && sectorUse >= 0.8;
    }

    /** Bytes over floor and partial results. */
    String timesFloor(long bytes) {
        return "%.2f x".formatted((double) bytes / (floorBytes + partialBytes));
    }

    /** The worker grid of a task. */
    WorkerGrid grid(String task) {
        GridScheduler grids = new GridScheduler();
        piece.append(new TaskGraph(name), grids);
        WorkerGrid grid = grids.get(name + "." + task);
        if (grid == null) {
            throw new IllegalStateException(name + " has no task " + task);
        }
        return grid;
    }

    /** Makes a plan, uses it and closes it. */
    void plan(Use use) throws Exception {
        TaskGraph graph = new TaskGraph(name);
        GridScheduler grids = new GridScheduler();
        Object[] all = arrays.toArray();
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, all);
        piece.append(graph, grids);
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, all);
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(graph.snapshot())) {
            plan.withGridScheduler(grids);
            use.of(plan);
        }
    }
}
