package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Pages to be copied, three numbers each, and the graph that copies them: executed when the list is full, and by
 * {@link #flush}.
 */
final class GraphPageList implements AutoCloseable {
    /** Pages of a launch. */
    static final int PAGES = 16;

    /** The list on the device. */
    record Pages(IntArray count, IntArray first, IntArray second, IntArray third) {}

    /** Adds a task that copies the pages of the list. */
    interface Piece {
        void append(TaskGraph graph, GridScheduler grids, String task, Pages pages);
    }

    private final DeviceArrays arrays;
    private final String name;
    private final List<TornadoNativeArray> memory;
    private final List<Piece> pieces = new ArrayList<>();
    private final Pages pages =
            new Pages(new IntArray(1), new IntArray(PAGES), new IntArray(PAGES), new IntArray(PAGES));
    private @Nullable TornadoExecutionPlan plan;
    private int size;

    /** Copies in and between memory that graphs share. */
    GraphPageList(DeviceArrays arrays, String name, List<LongArray> slabs, LongArray... more) {
        this.arrays = arrays;
        this.name = name;
        memory = new ArrayList<>(slabs);
        memory.addAll(List.of(more));
    }

    void add(Piece piece) {
        pieces.add(piece);
    }

    /** Whether a page that was taken and not yet copied comes from {@code page}. */
    boolean reads(int page) {
        return contains(pages.first, page);
    }

    /** Whether one goes to {@code page}. */
    boolean writes(int page) {
        return contains(pages.second, page);
    }

    private boolean contains(IntArray list, int page) {
        return IntStream.range(0, size).anyMatch(i -> list.get(i) == page);
    }

    void take(int first, int second, int third) {
        pages.first.set(size, first);
        pages.second.set(size, second);
        pages.third.set(size, third);
        size++;
        if (size == PAGES) {
            flush();
        }
    }

    /** Copies what was taken; it is done on return, and forgotten if it fails. */
    void flush() {
        if (size == 0) {
            return;
        }
        try {
            if (plan == null) {
                plan = record();
            }
            pages.count.set(0, size);
            StepGraphs.launch(plan);
        } finally {
            size = 0;
        }
    }

    private TornadoExecutionPlan record() {
        TaskGraph graph = new TaskGraph(name);
        GridScheduler grids = new GridScheduler();
        List<TornadoNativeArray> lists = List.of(pages.count, pages.first, pages.second, pages.third);
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, lists.toArray());
        graph.transferToDevice(DataTransferMode.UNDER_DEMAND, memory.toArray());
        for (int i = 0; i < pieces.size(); i++) {
            pieces.get(i).append(graph, grids, "slab" + i, pages);
        }
        arrays.end(graph, grids);
        ImmutableTaskGraph finished = graph.snapshot();
        arrays.use(finished, memory);
        TornadoExecutionPlan made = new TornadoExecutionPlan(finished).withGridScheduler(grids);
        return arrays.records() ? made.withCUDAGraph() : made;
    }

    @Override
    public void close() {
        if (plan != null) {
            arrays.close(plan);
        }
    }
}
