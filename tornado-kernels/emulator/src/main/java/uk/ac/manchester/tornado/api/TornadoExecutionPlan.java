package uk.ac.manchester.tornado.api;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.hotrow.emulator.ArrayMemory;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.enums.ProfilerMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Executes task graphs, in order. Settings hold for all executions that follow. */
public class TornadoExecutionPlan implements AutoCloseable {
    private static final AtomicLong PLANS = new AtomicLong();

    private final long id = PLANS.getAndIncrement();
    private final List<GraphRun> graphs = new ArrayList<>();
    private List<GraphRun> selected;
    private @Nullable GridScheduler grids;
    private @Nullable GraphRun last;
    private boolean recording;
    private boolean started;
    private boolean closed;

    /** A plan of all these graphs, whose names must differ. */
    public TornadoExecutionPlan(ImmutableTaskGraph... graphs) {
        Set<String> names = new HashSet<>();
        for (ImmutableTaskGraph graph : graphs) {
            if (!names.add(graph.name)) {
                throw new TornadoRuntimeException("a plan has two graphs " + graph.name);
            }
            this.graphs.add(new GraphRun(graph));
        }
        selected = List.copyOf(this.graphs);
    }

    /** Executes the selected graphs and returns when they have ended. */
    public TornadoExecutionResult execute() {
        requireOpen();
        started = true;
        for (GraphRun graph : selected) {
            graph.execute(grids, recording, last);
            last = graph;
        }
        return new TornadoExecutionResult(selected);
    }

    /** Selects one graph. */
    public TornadoExecutionPlan withGraph(int index) {
        if (index < 0 || index >= graphs.size()) {
            throw new TornadoRuntimeException("there is no graph " + index + "; the plan has " + graphs.size());
        }
        selected = List.of(graphs.get(index));
        return this;
    }

    /** Selects all graphs. */
    public TornadoExecutionPlan withAllGraphs() {
        selected = List.copyOf(graphs);
        return this;
    }

    /** Sets the grids of the tasks. */
    public TornadoExecutionPlan withGridScheduler(GridScheduler scheduler) {
        grids = scheduler;
        return this;
    }

    /** Compiles the tasks of the selected graphs. */
    public TornadoExecutionPlan withPreCompilation() {
        requireOpen();
        started = true;
        selected.forEach(graph -> graph.compile(grids));
        return this;
    }

    /**
     * Records each graph at its first execution and replays it from then on: same grids, same device memory, same
     * thread. Arrays of mode {@code EVERY_EXECUTION} are copied anew by each replay.
     */
    public TornadoExecutionPlan withCUDAGraph() {
        if (started) {
            throw new TornadoRuntimeException("withCUDAGraph comes before the first execute or withPreCompilation");
        }
        recording = true;
        return this;
    }

    /** No effect here: see {@link TornadoProfilerResult}. */
    public TornadoExecutionPlan withProfiler(ProfilerMode mode) {
        return this;
    }

    /** No effect here: how copies are staged can't be seen. */
    public TornadoExecutionPlan withStagedTransfers() {
        return this;
    }

    /** Frees the device memory; the next execution begins anew. Refused once a graph is recorded. */
    public TornadoExecutionPlan freeDeviceMemory() {
        if (graphs.stream().anyMatch(GraphRun::isRecorded)) {
            throw new TornadoRuntimeException(
                    "recorded graphs keep their device memory; close the plan and build a new one");
        }
        graphs.forEach(GraphRun::free);
        last = null;
        return this;
    }

    /** Bytes on the device, with headers; memory that arrays are bound to is not the plan's. */
    public long getCurrentDeviceMemoryUsage() {
        Map<TornadoNativeArray, TornadoNativeArray> arrayOfCopy = new HashMap<>();
        for (GraphRun graph : graphs) {
            graph.memory().copies().forEach((array, copy) -> arrayOfCopy.put(copy, array));
        }
        return arrayOfCopy.values().stream()
                .filter(array -> ArrayMemory.get().bound(array) == null)
                .mapToLong(TornadoNativeArray::getNumBytesOfSegmentWithHeader)
                .sum();
    }

    /** A number of this plan alone. */
    public long getId() {
        return id;
    }

    /** Frees the device memory; nothing can be executed any more. */
    @Override
    public void close() throws TornadoExecutionPlanException {
        closed = true;
        graphs.forEach(GraphRun::free);
    }

    private void requireOpen() {
        if (closed) {
            throw new TornadoRuntimeException("the plan is closed");
        }
    }

    /** Not emulated. */
    public TornadoExecutionPlan withBatch(String size) {
        throw notEmulated("withBatch");
    }

    /** Not emulated. */
    public TornadoExecutionPlan withMemoryLimit(String size) {
        throw notEmulated("withMemoryLimit");
    }

    /** Not emulated: kernels run as they are. */
    public TornadoExecutionPlan withPrintKernel() {
        throw notEmulated("withPrintKernel");
    }

    /** Not emulated. */
    public TornadoExecutionPlan withIntraPlanConcurrency() {
        throw notEmulated("withIntraPlanConcurrency");
    }

    /** Not emulated. */
    public TornadoExecutionPlan withWarmUpIterations(int iterations) {
        throw notEmulated("withWarmUpIterations");
    }

    /** Not emulated. */
    public TornadoExecutionPlan resetDevice() {
        throw notEmulated("resetDevice");
    }

    /** Not emulated. */
    public void mapOnDeviceMemoryRegion(Object destination, Object source, long offset, int from, int to) {
        throw notEmulated("mapOnDeviceMemoryRegion");
    }

    private static TornadoRuntimeException notEmulated(String call) {
        return new TornadoRuntimeException(call + " is not emulated");
    }
}
