package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Device memory of TornadoVM. It gives memory to graphs only, so small graphs own it, and the others share it:
 *
 * <pre>
 * memory graph     arrays that begin with what the host has: executed once
 * upload graph     arrays of the step: executed by {@link #send}
 * download graph   one array: copied by {@link #download}
 * </pre>
 */
final class TornadoArrays implements DeviceArrays {
    private static final int ARRAYS_OF_A_GRAPH = 64;

    private final DeviceSharing sharing;
    private final boolean recorded;
    private final List<TornadoExecutionPlan> plans = new ArrayList<>();
    private final IdentityHashMap<TornadoNativeArray, ImmutableTaskGraph> owners = new IdentityHashMap<>();
    private final IdentityHashMap<TornadoNativeArray, TornadoExecutionPlan> downloads = new IdentityHashMap<>();
    private final List<TornadoNativeArray> ofStep = new ArrayList<>();
    private final List<TornadoNativeArray> lasting = new ArrayList<>();
    private final List<TornadoExecutionPlan> uploads = new ArrayList<>();
    private int graphs;

    /** @param recorded whether the back end can record graphs: CUDA's can */
    TornadoArrays(DeviceSharing sharing, boolean recorded) {
        this.sharing = sharing;
        this.recorded = recorded;
    }

    @Override
    public boolean records() {
        return recorded;
    }

    @Override
    public <T> T adopt(T arrays) {
        DeviceArrays.each(List.of(arrays), lasting::add);
        return arrays;
    }

    @Override
    public IntArray stepInts(int count) {
        IntArray array = new IntArray(Math.max(1, count));
        ofStep.add(array);
        return array;
    }

    @Override
    public FloatArray stepFloats(int count) {
        FloatArray array = new FloatArray(Math.max(1, count));
        ofStep.add(array);
        return array;
    }

    @Override
    public LongArray longs(long count, Consumer<MemorySegment> content) {
        LongArray array = adopt(new LongArray(Math.toIntExact(count)));
        content.accept(array.getSegment());
        return array;
    }

    @Override
    public LongArray longsIn(MemorySegment memory) {
        return longs(memory.byteSize() / Long.BYTES, content -> content.copyFrom(memory));
    }

    @Override
    public FloatArray floatsIn(MemorySegment memory) {
        FloatArray array = adopt(new FloatArray(Math.toIntExact(memory.byteSize() / Float.BYTES)));
        array.getSegment().copyFrom(memory);
        return array;
    }

    /** To the host's side; the device's follows when a graph begins to use it, or by {@link #send}. */
    @Override
    public void upload(MemorySegment from, TornadoNativeArray to) {
        to.getSegment().asSlice(0, from.byteSize()).copyFrom(from);
    }

    @Override
    public void send() {
        uploads.forEach(TornadoExecutionPlan::execute);
    }

    @Override
    public void use(ImmutableTaskGraph graph, Collection<TornadoNativeArray> arrays) {
        own(lasting);
        uploads.addAll(own(ofStep));
        arrays.forEach(array -> share(array, graph));
    }

    private void share(TornadoNativeArray array, ImmutableTaskGraph graph) {
        ImmutableTaskGraph owner = owners.get(array);
        if (owner == null) {
            throw new IllegalArgumentException(array + " is not on the device");
        }
        sharing.share(array, owner, graph);
    }

    /** Makes graphs that own these arrays, executes them once, and empties the list. */
    private List<TornadoExecutionPlan> own(List<TornadoNativeArray> arrays) {
        List<TornadoExecutionPlan> made = new ArrayList<>();
        for (int from = 0; from < arrays.size(); from += ARRAYS_OF_A_GRAPH) {
            List<TornadoNativeArray> some = arrays.subList(from, Math.min(arrays.size(), from + ARRAYS_OF_A_GRAPH));
            TaskGraph graph = new TaskGraph("memory" + graphs++);
            GridScheduler grids = new GridScheduler();
            // Of what no task uses, only this mode allocates and copies anything.
            graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, some.toArray());
            end(graph, grids);
            ImmutableTaskGraph owner = graph.snapshot();
            TornadoExecutionPlan plan = new TornadoExecutionPlan(owner).withGridScheduler(grids);
            plan.execute();
            made.add(plan);
            plans.add(plan);
            some.forEach(array -> owners.put(array, owner));
        }
        arrays.clear();
        return made;
    }

    /** A graph needs a task, and only a copy to the host is waited for: plans have streams of their own. */
    @Override
    public void end(TaskGraph graph, GridScheduler grids) {
        IntArray touched = new IntArray(1);
        graph.task("touch", TornadoArrays::touch, new KernelContext(), touched);
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, touched);
        one(graph, grids, "touch");
    }

    private static void one(TaskGraph graph, GridScheduler grids, String task) {
        WorkerGrid1D grid = new WorkerGrid1D(1);
        grid.setLocalWork(1, 1, 1);
        grids.addWorkerGrid(graph.getTaskGraphName() + "." + task, grid);
    }

    static void touch(KernelContext context, IntArray touched) {
        touched.set(context.globalIdx, 1);
    }

    /** Only what a task uses is brought back. */
    static void keep(KernelContext context, FloatArray array) {
        array.set(context.globalIdx, array.get(context.globalIdx));
    }

    static void keep(KernelContext context, LongArray array) {
        array.set(context.globalIdx, array.get(context.globalIdx));
    }

    @Override
    public void bringBack(TaskGraph graph, Collection<TornadoNativeArray> arrays) {
        if (!arrays.isEmpty()) {
            graph.transferToHost(DataTransferMode.EVERY_EXECUTION, arrays.toArray());
        }
    }

    @Override
    public void readBack(TornadoNativeArray from, MemorySegment to) {
        to.copyFrom(from.getSegment().asSlice(0, to.byteSize()));
    }

    @Override
    public void download(TornadoNativeArray from, MemorySegment to) {
        downloads.computeIfAbsent(from, this::downloading).execute();
        to.copyFrom(from.getSegment().asSlice(0, to.byteSize()));
    }

    private TornadoExecutionPlan downloading(TornadoNativeArray array) {
        TaskGraph graph = new TaskGraph("memory" + graphs++);
        GridScheduler grids = new GridScheduler();
        graph.transferToDevice(DataTransferMode.UNDER_DEMAND, array);
        one(graph, grids, "keep");
        switch (array) {
            case FloatArray floats -> graph.task("keep", TornadoArrays::keep, new KernelContext(), floats);
            case LongArray longs -> graph.task("keep", TornadoArrays::keep, new KernelContext(), longs);
            default -> throw new IllegalArgumentException(array + " is never brought back");
        }
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, array);
        end(graph, grids);
        ImmutableTaskGraph user = graph.snapshot();
        share(array, user);
        return new TornadoExecutionPlan(user).withGridScheduler(grids);
    }

    /** TornadoVM would free shared memory once for each plan: only those of its owners are closed. */
    @Override
    public void close(TornadoExecutionPlan plan) {}

    @Override
    public void close() {
        plans.forEach(DeviceArrays.super::close);
    }
}
