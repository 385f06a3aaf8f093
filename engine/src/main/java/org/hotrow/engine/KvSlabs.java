package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hotrow.allocator.KvGeometry;

/** The memory of the KV tensor where this process can reach it: one segment per slab of the geometry, rows and index pages in it. */
final class KvSlabs implements AutoCloseable {
    static final byte NAN_BYTE = (byte) 0xFF;

    private final Arena arena = Arena.ofShared();
    private final KvGeometry geometry;
    private final MemorySegment[] slabs;

    KvSlabs(KvGeometry geometry) {
        this.geometry = geometry;
        slabs = new MemorySegment[geometry.slabs()];
        for (int i = 0; i < slabs.length; i++) {
            slabs[i] = arena.allocate(geometry.slabBytes(i), 64);
        }
    }

    KvGeometry geometry() {
        return geometry;
    }

    /** The slab that holds {@code layer}. */
    MemorySegment of(int layer) {
        return slabs[geometry.slabOf(layer)];
    }

    /** Fills everything with bytes that read as NaN in every format, so that a read of what nobody wrote shows. */
    void poison() {
        for (MemorySegment slab : slabs) {
            slab.fill(NAN_BYTE);
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
