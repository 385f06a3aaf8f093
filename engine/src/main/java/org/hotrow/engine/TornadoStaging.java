package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.WorkerGrid1D;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Copies to and from device memory that has no array on the host, piece by piece: TornadoVM copies whole arrays only.
 *
 * <pre>
 * up     source -> words on the host -> words on the device -> memory, from long {@code at} on
 * down   memory -> words on the device -> words on the host -> target
 * </pre>
 */
final class TornadoStaging implements AutoCloseable {
    private static final int GROUP = 64;

    private final LongArray words;
    private final IntArray span = new IntArray(2);
    private final LongArray memory = new LongArray(1);
    private final DeviceSharing sharing;
    private final ImmutableTaskGraph up;
    private final ImmutableTaskGraph down;
    private final List<TornadoExecutionPlan> plans;

    /**
     * @param name of its graphs
     * @param longs of a piece
     */
    TornadoStaging(String name, int longs, DeviceSharing sharing) {
        this.sharing = sharing;
        words = new LongArray(longs);
        TaskGraph to = new TaskGraph(name + "up");
        GridScheduler grids = new GridScheduler();
        to.transferToDevice(DataTransferMode.EVERY_EXECUTION, span, words);
        to.transferToDevice(DataTransferMode.UNDER_DEMAND, memory);
        to.task("put", TornadoStaging::put, new KernelContext(), span, words, memory);
        grid(grids, name + "up.put");
        // Only what comes back is waited for.
        to.transferToHost(DataTransferMode.EVERY_EXECUTION, span);
        up = to.snapshot();
        TaskGraph from = new TaskGraph(name + "down");
        from.transferToDevice(DataTransferMode.EVERY_EXECUTION, span);
        from.transferToDevice(DataTransferMode.UNDER_DEMAND, memory, words);
        from.task("take", TornadoStaging::take, new KernelContext(), span, words, memory);
        grid(grids, name + "down.take");
        from.transferToHost(DataTransferMode.EVERY_EXECUTION, words);
        down = from.snapshot();
        plans = List.of(
                new TornadoExecutionPlan(up).withGridScheduler(grids),
                new TornadoExecutionPlan(down).withGridScheduler(grids));
    }

    private void grid(GridScheduler grids, String task) {
        WorkerGrid1D grid = new WorkerGrid1D(words.getSize());
        grid.setLocalWork(GROUP, 1, 1);
        grids.addWorkerGrid(task, grid);
    }

    /** A graph of the device, for what belongs to no graph. */
    ImmutableTaskGraph graph() {
        return up;
    }

    static void put(KernelContext context, IntArray span, LongArray words, LongArray memory) {
        int i = context.globalIdx;
        if (i < span.get(1)) {
            memory.set(span.get(0) + i, words.get(i));
        }
        if (i == 0) {
            span.set(1, span.get(1));
        }
    }

    static void take(KernelContext context, IntArray span, LongArray words, LongArray memory) {
        int i = context.globalIdx;
        if (i < span.get(1)) {
            words.set(i, memory.get(span.get(0) + i));
        }
    }

    void upload(DeviceArrays.Source from, long bytes, Object buffer, long at) {
        sharing.give(buffer, memory, up);
        for (long done = 0; done < bytes; done += bytes()) {
            long piece = Math.min(bytes(), bytes - done);
            from.copyTo(done, words.getSegment().asSlice(0, piece));
            span(at + done / Long.BYTES, piece);
            StepGraphs.launch(plans.getFirst());
        }
    }

    void download(Object buffer, long at, MemorySegment to) {
        sharing.give(buffer, memory, down);
        for (long done = 0; done < to.byteSize(); done += bytes()) {
            long piece = Math.min(bytes(), to.byteSize() - done);
            span(at + done / Long.BYTES, piece);
            StepGraphs.launch(plans.getLast());
            to.asSlice(done, piece).copyFrom(words.getSegment().asSlice(0, piece));
        }
    }

    private void span(long at, long bytes) {
        span.set(0, Math.toIntExact(at));
        span.set(1, Math.toIntExact(Math.ceilDiv(bytes, Long.BYTES)));
    }

    private long bytes() {
        return (long) words.getSize() * Long.BYTES;
    }

    /** The end of a plan frees what its graphs have, so they get something of their own. */
    @Override
    public void close() {
        sharing.give(sharing.allocate(up, memory, Long.BYTES), memory, up);
        sharing.give(sharing.allocate(down, memory, Long.BYTES), memory, down);
        plans.forEach(DeviceArrays::closePlan);
    }
}
