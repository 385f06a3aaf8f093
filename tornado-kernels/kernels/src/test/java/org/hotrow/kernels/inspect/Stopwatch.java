package org.hotrow.kernels.inspect;

import java.util.ArrayList;
import java.util.List;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.enums.ProfilerMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Executes operations: once with poisoned outputs, then again and again for the time that TornadoVM's profiler says that
 * their kernels take. Before each of these, another plan writes more than twice what the second-level cache holds.
 */
final class Stopwatch implements AutoCloseable {
    /** 128 MiB; an H200 has 50 to 60 MB of second-level cache. */
    private static final int SPOILED_LONGS = 1 << 24;

    private static final int GROUP = 256;

    private final int repetitions;
    private final TornadoExecutionPlan spoiling;

    /**
     * What an operation did.
     *
     * @param unwrittenWords outputs that still are poison, or shouldn't have been written
     * @param problem the first value that isn't the reference's, or nothing
     * @param nanos of each timed execution
     */
    record Reading(long unwrittenWords, String problem, List<Long> nanos) {}

    /** @param repetitions timed executions of an operation; with 0 it is only checked */
    Stopwatch(int repetitions) {
        this.repetitions = repetitions;
        LongArray spoiled = new LongArray(repetitions == 0 ? GROUP : SPOILED_LONGS);
        TaskGraph graph = new TaskGraph("spoil");
        graph.transferToDevice(DataTransferMode.FIRST_EXECUTION, spoiled);
        graph.task("write", Stopwatch::write, new KernelContext(), spoiled);
        graph.transferToHost(DataTransferMode.UNDER_DEMAND, spoiled);
        WorkerGrid1D grid = new WorkerGrid1D(spoiled.getSize());
        grid.setLocalWork(GROUP, 1, 1);
        spoiling = new TornadoExecutionPlan(graph.snapshot()).withGridScheduler(new GridScheduler("spoil.write", grid));
        spoiling.execute();
    }

    static void write(KernelContext context, LongArray array) {
        array.set(context.globalIdx, array.get(context.globalIdx) + 1);
    }

    Reading read(Timed timed) {
        try {
            timed.poison();
            try (TornadoExecutionPlan plan = plan(timed, true)) {
                plan.execute().transferToHost(timed.outputs().toArray());
            }
            long unwritten = timed.unwritten();
            String problem = timed.check().problem();
            return new Reading(unwritten, problem, repetitions == 0 ? List.of() : times(timed));
        } catch (TornadoExecutionPlanException e) {
            throw new IllegalStateException("a plan can't be closed", e);
        } finally {
            timed.launch().arrays().forEach(PinnedHost::free);
        }
    }

    private List<Long> times(Timed timed) throws TornadoExecutionPlanException {
        List<Long> nanos = new ArrayList<>();
        try (TornadoExecutionPlan plan = plan(timed, false)) {
            plan.withProfiler(ProfilerMode.SILENT);
            plan.execute();
            for (int i = 0; i < repetitions; i++) {
                spoiling.execute();
                nanos.add(plan.execute().getProfilerResult().getDeviceKernelTime());
            }
        }
        return nanos;
    }

    /** @param poisoned whether outputs begin with what the host has: TornadoVM copies none that is only written */
    private static TornadoExecutionPlan plan(Timed timed, boolean poisoned) {
        TaskGraph graph = new TaskGraph(timed.launch().name());
        GridScheduler grids = new GridScheduler();
        for (TornadoNativeArray array : timed.launch().arrays()) {
            graph.transferToDevice(mode(timed, array), array);
        }
        if (poisoned) {
            for (int i = 0; i < timed.outputs().size(); i++) {
                keep(graph, grids, "keep" + i, timed.outputs().get(i));
            }
        }
        timed.launch().piece().append(graph, grids);
        graph.transferToHost(DataTransferMode.UNDER_DEMAND, timed.outputs().toArray());
        ImmutableTaskGraph finished = graph.snapshot();
        timed.launch().arrays().stream()
                .filter(PinnedHost::isPinned)
                .forEach(array -> PinnedHost.bind(array, finished));
        return new TornadoExecutionPlan(finished).withGridScheduler(grids);
    }

    private static void keep(TaskGraph graph, GridScheduler grids, String task, TornadoNativeArray array) {
        WorkerGrid1D grid = new WorkerGrid1D(1);
        grid.setLocalWork(1, 1, 1);
        grids.addWorkerGrid(graph.getTaskGraphName() + "." + task, grid);
        switch (array) {
            case FloatArray floats -> graph.task(task, Stopwatch::keepFloats, new KernelContext(), floats);
            case IntArray ints -> graph.task(task, Stopwatch::keepInts, new KernelContext(), ints);
            case LongArray longs -> graph.task(task, Stopwatch::keepLongs, new KernelContext(), longs);
            default -> throw new IllegalArgumentException(array + " is no output of a kernel");
        }
    }

    static void keepFloats(KernelContext context, FloatArray array) {
        array.set(context.globalIdx, array.get(context.globalIdx));
    }

    static void keepInts(KernelContext context, IntArray array) {
        array.set(context.globalIdx, array.get(context.globalIdx));
    }

    static void keepLongs(KernelContext context, LongArray array) {
        array.set(context.globalIdx, array.get(context.globalIdx));
    }

    private static int mode(Timed timed, TornadoNativeArray array) {
        if (PinnedHost.isPinned(array)) {
            return DataTransferMode.UNDER_DEMAND;
        }
        return timed.anew().contains(array) ? DataTransferMode.EVERY_EXECUTION : DataTransferMode.FIRST_EXECUTION;
    }

    @Override
    public void close() {
        try {
            spoiling.close();
        } catch (TornadoExecutionPlanException e) {
            throw new IllegalStateException("a plan can't be closed", e);
        }
    }
}
