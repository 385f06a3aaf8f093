package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.allocator.HostPageId;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.Step;
import org.hotrow.kernels.tornado.IndexPageCopy;
import org.hotrow.kernels.tornado.PageRestore;
import org.hotrow.kernels.tornado.WriteBack;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Copies of pages by kernels, many pages a launch, between steps: a graph for each direction and window of the host pool, with
 * a task for each slab. A step that copies nothing executes none of them. An execution returns when its stream has done
 * it: 5.2.0 gives out no event, so a page's copy is complete when the launch returns, and before the next step begins.
 *
 * <pre>
 * copy index pages     slab -> slab
 * restore              host window -> slab
 * write back           slab -> host window
 * </pre>
 */
final class GraphPageCopies implements AutoCloseable {
    private static final int NO_KEYS = -1;

    /** The copies between the slabs and a window. */
    private record OfWindow(GraphKvTensor.Window window, GraphPageList restore, GraphPageList writeBack) {
        int number(HostPageId page) {
            return page.value() - window.firstPage();
        }
    }

    private final DeviceArrays arrays;
    private final KvGeometry geometry;
    private final List<LongArray> slabs;
    private final GraphPageList copy;
    private final List<OfWindow> windows = new ArrayList<>();

    GraphPageCopies(DeviceArrays arrays, KvGeometry geometry, List<LongArray> slabs) {
        this.arrays = arrays;
        this.geometry = geometry;
        this.slabs = slabs;
        copy = new GraphPageList(arrays, "copyKeys", slabs);
        for (int slab = 0; slab < slabs.size(); slab++) {
            LongArray memory = slabs.get(slab);
            WriteBack.Shape shape = shape(slab);
            if (shape.anchorsInSlab() > 0) {
                copy.add((graph, grids, task, pages) -> IndexPageCopy.append(
                        graph, grids, task, pages.count(), pages.first(), pages.second(), memory, shape));
            }
        }
    }

    /** Copies to and from one more window of the host pool. */
    void open(GraphKvTensor.Window window) {
        String name = "window" + window.firstPage();
        var restore = new GraphPageList(arrays, name + "restore", slabs, window.memory());
        var writeBack = new GraphPageList(arrays, name + "writeBack", slabs, window.memory());
        for (int slab = 0; slab < slabs.size(); slab++) {
            LongArray memory = slabs.get(slab);
            WriteBack.Shape shape = shape(slab);
            restore.add((graph, grids, task, pages) -> PageRestore.append(
                    graph,
                    grids,
                    task,
                    pages.count(),
                    pages.first(),
                    pages.second(),
                    pages.third(),
                    window.memory(),
                    memory,
                    shape));
            writeBack.add((graph, grids, task, pages) -> WriteBack.append(
                    graph,
                    grids,
                    task,
                    pages.count(),
                    pages.first(),
                    pages.second(),
                    pages.third(),
                    memory,
                    window.memory(),
                    shape));
        }
        windows.add(new OfWindow(window, restore, writeBack));
    }

    private WriteBack.Shape shape(int slab) {
        return new WriteBack.Shape(
                GraphPageList.PAGES,
                geometry.rowBytes() / Long.BYTES,
                geometry.indexPageBytes() / Long.BYTES,
                geometry.layers(),
                geometry.firstLayer(slab),
                geometry.layersIn(slab),
                geometry.anchors(),
                geometry.firstAnchor(slab),
                geometry.anchorsIn(slab),
                geometry.pagesPerIndexBlock());
    }

    private int indexPage(int block, int page) {
        return block * geometry.pagesPerIndexBlock() + page;
    }

    void copyKeys(List<Step.IndexCopy> copies) {
        for (Step.IndexCopy c : copies) {
            int from = indexPage(c.from().value(), c.page());
            int to = indexPage(c.to().value(), c.page());
            // The pages of a launch are copied in no order.
            if (copy.writes(from) || copy.writes(to) || copy.reads(to)) {
                copy.flush();
            }
            copy.take(from, to, 0);
        }
        copy.flush();
    }

    void restoreKeys(List<Step.IndexRestore> restores) {
        restores.forEach(r -> window(r.from()));
        for (Step.IndexRestore r : restores) {
            OfWindow window = window(r.from());
            window.restore.take(window.number(r.from()), 0, indexPage(r.to().value(), r.page()));
        }
        windows.forEach(window -> window.restore.flush());
    }

    void restoreRows(List<Step.RowRestore> restores) {
        restores.forEach(r -> window(r.from()));
        for (Step.RowRestore r : restores) {
            OfWindow window = window(r.from());
            window.restore.take(window.number(r.from()), r.to().value(), NO_KEYS);
        }
        windows.forEach(window -> window.restore.flush());
    }

    void writeBack(List<Step.WriteBack> pages) {
        pages.forEach(p -> window(p.to()));
        for (Step.WriteBack p : pages) {
            OfWindow window = window(p.to());
            window.writeBack.take(p.rows().value(), indexPage(p.index().value(), p.indexPage()), window.number(p.to()));
        }
        windows.forEach(window -> window.writeBack.flush());
    }

    /** @throws IllegalArgumentException if there is none; asked for all pages before the first is taken */
    private OfWindow window(HostPageId page) {
        for (OfWindow window : windows) {
            if (window.number(page) >= 0 && window.number(page) < window.window.pages()) {
                return window;
            }
        }
        throw new IllegalArgumentException(page + " is in none of " + windows.size() + " windows");
    }

    @Override
    public void close() {
        copy.close();
        windows.forEach(window -> {
            window.restore.close();
            window.writeBack.close();
        });
    }
}
