package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.Step;

/**
 * The memory of the KV tensor on some device, rows and index pages in it, and the copies of pages in it and between it and
 * the host pool. Copies are done when they return.
 *
 * <p>Offsets are those of the geometry, in bytes from the start of the slab of a layer.
 */
interface KvTensor extends AutoCloseable {
    /** All ones reads as NaN in every format, so that a read of what nobody wrote shows. */
    byte NAN_BYTE = (byte) 0xFF;

    /** Reads from the slab of a layer. */
    void read(int layer, long offset, MemorySegment to);

    /** Writes to the slab of a layer. */
    void write(int layer, long offset, MemorySegment from);

    /** Fills a part of the slab of a layer with {@link #NAN_BYTE}. */
    void poison(int layer, long offset, long bytes);

    /** Copies index pages from block to block. */
    void copyKeys(List<Step.IndexCopy> copies);

    /** Brings index pages back. */
    void restoreKeys(List<Step.IndexRestore> restores, HostPool host);

    /** Brings the rows of pages back, of all layers. */
    void restoreRows(List<Step.RowRestore> restores, HostPool host);

    /** Copies pages to the host, rows of all layers and keys of all anchors. */
    void writeBack(List<Step.WriteBack> pages, HostPool host);

    @Override
    void close();
}
