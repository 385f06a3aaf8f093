package org.hotrow.kernels.inspect;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.kernels.tornado.Residual;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * What a step costs on the host: nanoseconds that {@code execute} takes for a plan of recorded graphs, whose one task adds
 * 8 values, so that next to nothing of it passes on the device.
 */
final class HostCost {
    private HostCost() {}

    /**
     * Waits of executions, after as many that aren't measured.
     *
     * @param graphs of the plan; a step of 78 layers has 24 at most
     */
    static long[] nanos(int graphs, int executions) {
        List<ImmutableTaskGraph> all = new ArrayList<>();
        GridScheduler grids = new GridScheduler();
        Residual.Shape shape = new Residual.Shape(1, 8);
        for (int g = 0; g < graphs; g++) {
            TaskGraph graph = new TaskGraph("host" + g);
            IntArray counts = Production.counts(1);
            FloatArray update = new FloatArray(8);
            FloatArray into = new FloatArray(8);
            graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, counts, update, into);
            Residual.append(graph, grids, "add", counts, update, into, shape);
            graph.transferToHost(DataTransferMode.UNDER_DEMAND, into);
            all.add(graph.snapshot());
        }
        try (TornadoExecutionPlan plan = new TornadoExecutionPlan(all.toArray(new ImmutableTaskGraph[0]))) {
            plan.withAllGraphs().withGridScheduler(grids).withCUDAGraph();
            long[] nanos = new long[executions];
            for (int i = -executions; i < executions; i++) {
                long start = System.nanoTime();
                plan.execute();
                if (i >= 0) {
                    nanos[i] = System.nanoTime() - start;
                }
            }
            return nanos;
        } catch (TornadoExecutionPlanException e) {
            throw new IllegalStateException("a plan can't be closed", e);
        }
    }
}
