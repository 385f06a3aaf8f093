package org.hotrow.engine;

import java.nio.BufferOverflowException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Puts the pieces of plans into task graphs, in their order: a graph takes as many as TornadoVM's limits allow, which
 * are 8,192 bytes of code of {@code 15 + 5 x arguments} for each task, and 1,024 nodes. TornadoVM tells no sizes but
 * refuses what has no room, so each piece goes into a graph for trial first.
 *
 * <p>All arrays lie on the device already, so graphs neither copy them nor hand them on.
 */
final class GraphRecorder {
    /** Nodes are refused late, in the first execution: a task and its arrays take eight at most in a long graph. */
    private static final int TASKS = 120;

    /** What adds an operation's tasks to a graph, named {@code task} or beginning so. */
    interface Piece {
        void append(TaskGraph graph, GridScheduler grids, String task);
    }

    private record Named(String task, Piece piece) {}

    private final List<ImmutableTaskGraph> graphs = new ArrayList<>();
    private final List<Named> pieces = new ArrayList<>();
    private final Set<TornadoNativeArray> arrays = Collections.newSetFromMap(new IdentityHashMap<>());
    private final List<TornadoNativeArray> outputs = new ArrayList<>();
    private final DeviceArrays deviceArrays;
    private final String name;
    private final boolean recorded;
    private GridScheduler grids = new GridScheduler();
    private TaskGraph trial = new TaskGraph("trial");
    private int plans;
    private int planned;
    private int tasks;
    private int operations;

    /** Graphs for up to so many rows, which are recorded if the back end can. */
    GraphRecorder(DeviceArrays deviceArrays, int rows) {
        this(deviceArrays, "rows" + rows, deviceArrays.records());
    }

    /** @param name of the graphs, numbers are added */
    GraphRecorder(DeviceArrays deviceArrays, String name, boolean recorded) {
        this.deviceArrays = deviceArrays;
        this.name = name;
        this.recorded = recorded;
    }

    /**
     * Adds an operation.
     *
     * @param tasks that the piece adds
     * @param used its arrays, or records of them
     */
    void add(String operation, int tasks, Piece piece, Object... used) {
        Named named = new Named(operation + operations, piece);
        if (this.tasks + tasks > TASKS || !fits(named)) {
            seal(false);
            named.piece.append(trial, new GridScheduler(), named.task);
        }
        pieces.add(named);
        operations++;
        this.tasks += tasks;
        DeviceArrays.each(List.of(used), arrays::add);
    }

    private boolean fits(Named named) {
        try {
            named.piece.append(trial, new GridScheduler(), named.task);
            return true;
        } catch (BufferOverflowException | TornadoRuntimeException full) {
            return pieces.isEmpty();
        }
    }

    /** Lets {@link DeviceArrays#readBack} have these arrays of the operation that was added last. */
    void bringBack(List<TornadoNativeArray> some) {
        outputs.addAll(some);
    }

    private void seal(boolean last) {
        TaskGraph graph = new TaskGraph(name + "plan" + plans + "part" + graphs.size());
        graph.transferToDevice(DataTransferMode.UNDER_DEMAND, arrays.toArray());
        for (Named named : pieces) {
            named.piece.append(graph, grids, named.task);
        }
        deviceArrays.bringBack(graph, outputs);
        if (last) {
            deviceArrays.end(graph, grids);
        }
        ImmutableTaskGraph finished = graph.snapshot();
        deviceArrays.use(finished, arrays);
        graphs.add(finished);
        pieces.clear();
        arrays.clear();
        outputs.clear();
        trial = new TaskGraph("trial");
        tasks = 0;
    }

    /** Graphs of the last plan. */
    int graphs() {
        return planned;
    }

    /** The plan of all that was added since the last one. */
    TornadoExecutionPlan plan() {
        if (!fits(new Named("end", (graph, grid, _) -> deviceArrays.end(graph, grid)))) {
            seal(false);
        }
        seal(true);
        TornadoExecutionPlan plan = new TornadoExecutionPlan(graphs.toArray(new ImmutableTaskGraph[0]))
                .withAllGraphs()
                .withGridScheduler(grids);
        planned = graphs.size();
        graphs.clear();
        grids = new GridScheduler();
        plans++;
        return recorded ? plan.withCUDAGraph() : plan;
    }
}
