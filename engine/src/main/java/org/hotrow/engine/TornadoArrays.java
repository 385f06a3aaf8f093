package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import org.hotrow.allocator.HostMemory;
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
 * Device memory of TornadoVM. It gives memory to graphs only, so small graphs own it, and the others share it; what has no
 * array on the host belongs to none:
 *
 * <pre>
 * memory graph     arrays that begin with what the host has: executed once
 * upload graph     arrays of the step: executed by {@link #send}
 * download graph   one array: copied by {@link #download}
 * tokens           buffers without a graph, or pinned memory of the host; {@link TornadoStaging} copies to and from them
 * </pre>
 */
final class TornadoArrays implements DeviceArrays {
    private static final int ARRAYS_OF_A_GRAPH = 64;
    private static final int SMALL_LONGS = 1 << 14;
    private static final int LARGE_LONGS = 1 << 20;

    private final DeviceSharing sharing;
    private final boolean cuda;
    private final boolean recorded;
    private final List<TornadoExecutionPlan> plans = new ArrayList<>();
    private final IdentityHashMap<TornadoNativeArray, ImmutableTaskGraph> owners = new IdentityHashMap<>();
    private final IdentityHashMap<TornadoNativeArray, TornadoExecutionPlan> downloads = new IdentityHashMap<>();
    private final List<TornadoNativeArray> ofStep = new ArrayList<>();
    private final List<TornadoNativeArray> lasting = new ArrayList<>();
    private final List<TornadoExecutionPlan> uploads = new ArrayList<>();
    private final IdentityHashMap<TornadoNativeArray, Object> tokens = new IdentityHashMap<>();
    private final List<Object> buffers = new ArrayList<>();
    private final TornadoStaging small;
    private final TornadoStaging large;
    private int graphs;

    /**
     * @param cuda whether the back end is CUDA's, whose kernels can read memory of the host
     * @param recorded whether graphs are recorded: only CUDA's can be
     */
    TornadoArrays(DeviceSharing sharing, boolean cuda, boolean recorded) {
        this.sharing = sharing;
        this.cuda = cuda;
        this.recorded = recorded;
        small = new TornadoStaging("small", SMALL_LONGS, sharing);
        large = new TornadoStaging("large", LARGE_LONGS, sharing);
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
    public LongArray longs(long count) {
        LongArray token = new LongArray(1);
        Object buffer = sharing.allocate(small.graph(), token, Math.multiplyExact(count, Long.BYTES));
        buffers.add(buffer);
        tokens.put(token, buffer);
        return token;
    }

    @Override
    public FloatArray floatsOf(LongArray token) {
        FloatArray view = new FloatArray(1);
        tokens.put(view, buffer(token));
        return view;
    }

    private Object buffer(LongArray token) {
        Object buffer = tokens.get(token);
        if (buffer == null) {
            throw new IllegalArgumentException(token + " is no token");
        }
        return buffer;
    }

    @Override
    public HostMemory hostMemory() {
        if (!cuda) {
            throw new DeviceException("only the CUDA back end of TornadoVM reads memory of the host");
        }
        return HostMemory.pinned();
    }

    @Override
    public LongArray longsIn(MemorySegment chunk) {
        LongArray token = new LongArray(1);
        tokens.put(token, sharing.mapped(small.graph(), token, chunk.address(), chunk.byteSize()));
        return token;
    }

    @Override
    public void upload(Source from, long bytes, LongArray to, long at) {
        staging(bytes).upload(from, bytes, buffer(to), at);
    }

    @Override
    public void download(LongArray from, long at, MemorySegment to) {
        staging(to.byteSize()).download(buffer(from), at, to);
    }

    private TornadoStaging staging(long bytes) {
        return bytes > SMALL_LONGS * (long) Long.BYTES ? large : small;
    }

    /** To the host's side; the device's follows when a graph begins to use it, or by {@link #send}. */
    @Override
    public void upload(MemorySegment from, TornadoNativeArray to) {
        to.getSegment().asSlice(0, from.byteSize()).copyFrom(from);
    }

    @Override
    public void send() {
        uploads.forEach(StepGraphs::launch);
    }

    @Override
    public void use(ImmutableTaskGraph graph, Collection<TornadoNativeArray> arrays) {
        own(lasting);
        uploads.addAll(own(ofStep));
        arrays.forEach(array -> share(array, graph));
    }

    private void share(TornadoNativeArray array, ImmutableTaskGraph graph) {
        Object token = tokens.get(array);
        if (token != null) {
            sharing.give(token, array, graph);
            return;
        }
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
            StepGraphs.launch(plan);
            made.add(plan);
            plans.add(plan);
            some.forEach(array -> owners.put(array, owner));
        }
        arrays.clear();
        return made;
    }

    /**
     * A graph needs a task. Plans have streams of their own; CUDA's back end waits for them, OpenCL's for copies to the host
     * only.
     */
    @Override
    public void end(TaskGraph graph, GridScheduler grids) {
        IntArray touched = new IntArray(1);
        graph.task("touch", TornadoArrays::touch, new KernelContext(), touched);
        if (!cuda) {
            graph.transferToHost(DataTransferMode.EVERY_EXECUTION, touched);
        }
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

    static void keep(KernelContext context, IntArray array) {
        array.set(context.globalIdx, array.get(context.globalIdx));
    }

    static void keep(KernelContext context, LongArray array) {
        array.set(context.globalIdx, array.get(context.globalIdx));
    }

    @Override
    public void bringBack(TaskGraph graph, Collection<TornadoNativeArray> arrays) {
        List<TornadoNativeArray> some =
                arrays.stream().filter(array -> !tokens.containsKey(array)).toList();
        if (!some.isEmpty()) {
            graph.transferToHost(DataTransferMode.EVERY_EXECUTION, some.toArray());
        }
    }

    @Override
    public void readBack(TornadoNativeArray from, MemorySegment to) {
        if (from instanceof LongArray token && tokens.containsKey(token)) {
            download(token, 0, to);
        } else {
            to.copyFrom(from.getSegment().asSlice(0, to.byteSize()));
        }
    }

    @Override
    public void download(TornadoNativeArray from, MemorySegment to) {
        StepGraphs.launch(downloads.computeIfAbsent(from, this::downloading));
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
            case IntArray ints -> graph.task("keep", TornadoArrays::keep, new KernelContext(), ints);
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
        small.close();
        large.close();
        plans.forEach(DeviceArrays::closePlan);
        buffers.forEach(sharing::free);
    }
}
