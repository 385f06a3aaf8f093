package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.Step;

/** The KV tensor in this process's memory: one segment per slab of the geometry. */
final class KvSlabs implements KvTensor {
    private final Arena arena = Arena.ofShared();
    private final KvGeometry geometry;
    private final List<Integer> anchors;
    private final MemorySegment[] slabs;

    KvSlabs(KvGeometry geometry) {
        this.geometry = geometry;
        anchors = geometry.anchorLayers();
        slabs = new MemorySegment[geometry.slabs()];
        for (int i = 0; i < slabs.length; i++) {
            slabs[i] = arena.allocate(geometry.slabBytes(i), 64);
        }
    }

    /** @throws ClassCastException if another device made it */
    static KvSlabs of(KvTensor tensor) {
        return (KvSlabs) tensor;
    }

    KvGeometry geometry() {
        return geometry;
    }

    /** The slab that holds {@code layer}. */
    MemorySegment of(int layer) {
        return slabs[geometry.slabOf(layer)];
    }

    private MemorySegment rows(int layer, int block) {
        return of(layer)
                .asSlice(geometry.rowOffset(layer, block * Block.TOKENS), (long) Block.TOKENS * geometry.rowBytes());
    }

    private MemorySegment keys(int anchor, int block, int page) {
        return of(anchor).asSlice(geometry.indexPageOffset(anchor, block, page), geometry.indexPageBytes());
    }

    @Override
    public void read(int layer, long offset, MemorySegment to) {
        to.copyFrom(of(layer).asSlice(offset, to.byteSize()));
    }

    @Override
    public void write(int layer, long offset, MemorySegment from) {
        of(layer).asSlice(offset, from.byteSize()).copyFrom(from);
    }

    @Override
    public void poison(int layer, long offset, long bytes) {
        of(layer).asSlice(offset, bytes).fill(NAN_BYTE);
    }

    @Override
    public void copyKeys(List<Step.IndexCopy> copies) {
        for (Step.IndexCopy copy : copies) {
            for (int anchor : anchors) {
                keys(anchor, copy.to().value(), copy.page())
                        .copyFrom(keys(anchor, copy.from().value(), copy.page()));
            }
        }
    }

    @Override
    public void restoreKeys(List<Step.IndexRestore> restores, HostPool host) {
        for (Step.IndexRestore restore : restores) {
            for (int anchor : anchors) {
                keys(anchor, restore.to().value(), restore.page()).copyFrom(host.keys(restore.from(), anchor));
            }
        }
    }

    @Override
    public void restoreRows(List<Step.RowRestore> restores, HostPool host) {
        for (Step.RowRestore restore : restores) {
            for (int layer = 0; layer < geometry.layers(); layer++) {
                rows(layer, restore.to().value()).copyFrom(host.rows(restore.from(), layer));
            }
        }
    }

    @Override
    public void writeBack(List<Step.WriteBack> pages, HostPool host) {
        for (Step.WriteBack page : pages) {
            for (int layer = 0; layer < geometry.layers(); layer++) {
                host.rows(page.to(), layer).copyFrom(rows(layer, page.rows().value()));
            }
            for (int anchor : anchors) {
                host.keys(page.to(), anchor).copyFrom(keys(anchor, page.index().value(), page.indexPage()));
            }
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
