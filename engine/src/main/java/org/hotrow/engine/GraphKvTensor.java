package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.Step;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The KV tensor on a device that runs task graphs: tokens, which all graphs share, and copies of pages by kernels. It owns the device's arrays. */
final class GraphKvTensor implements KvTensor {
    /** A chunk of the host pool. */
    record Window(int firstPage, int pages, LongArray memory) {}

    private final DeviceArrays arrays;
    private final KvGeometry geometry;
    private final List<LongArray> slabs = new ArrayList<>();
    private final List<Window> windows = new ArrayList<>();
    private final GraphPageCopies copies;

    GraphKvTensor(DeviceArrays arrays, KvGeometry geometry) {
        this.arrays = arrays;
        this.geometry = geometry;
        try {
            for (int slab = 0; slab < geometry.slabs(); slab++) {
                slabs.add(arrays.longs(geometry.slabBytes(slab) / Long.BYTES));
            }
            copies = new GraphPageCopies(arrays, geometry, slabs);
        } catch (RuntimeException | Error e) {
            arrays.close();
            throw e;
        }
    }

    /** @throws ClassCastException if another device made it */
    static GraphKvTensor of(KvTensor tensor) {
        return (GraphKvTensor) tensor;
    }

    KvGeometry geometry() {
        return geometry;
    }

    /** The slab of a layer. */
    LongArray slab(int layer) {
        return slabs.get(geometry.slabOf(layer));
    }

    /**
     * The host pool, chunk by chunk.
     *
     * @throws IllegalArgumentException if its pages aren't those of this geometry
     */
    List<Window> windows(HostPool pool) {
        if (pool.pageBytes() != geometry.hostPageBytes()) {
            throw new IllegalArgumentException("host pages of " + pool.pageBytes() + " bytes, expected "
                    + geometry.hostPageBytes() + ": the pool was opened for another geometry");
        }
        for (int i = windows.size(); i < pool.chunks().size(); i++) {
            MemorySegment chunk = pool.chunks().get(i);
            int pages = Math.toIntExact(chunk.byteSize() / geometry.hostPageBytes());
            Window window = new Window(i * pool.pagesPerChunk(), pages, arrays.longsIn(chunk));
            copies.open(window);
            windows.add(window);
        }
        return windows;
    }

    @Override
    public void read(int layer, long offset, MemorySegment to) {
        arrays.download(slab(layer), offset / Long.BYTES, to);
    }

    @Override
    public void write(int layer, long offset, MemorySegment from) {
        arrays.upload(from, slab(layer), offset / Long.BYTES);
    }

    @Override
    public void poison(int layer, long offset, long bytes) {
        arrays.upload((at, to) -> to.fill(NAN_BYTE), bytes, slab(layer), offset / Long.BYTES);
    }

    @Override
    public void copyKeys(List<Step.IndexCopy> copied) {
        copies.copyKeys(copied);
    }

    @Override
    public void restoreKeys(List<Step.IndexRestore> restores, HostPool host) {
        windows(host);
        copies.restoreKeys(restores);
    }

    @Override
    public void restoreRows(List<Step.RowRestore> restores, HostPool host) {
        windows(host);
        copies.restoreRows(restores);
    }

    @Override
    public void writeBack(List<Step.WriteBack> pages, HostPool host) {
        windows(host);
        copies.writeBack(pages);
    }

    @Override
    public void close() {
        copies.close();
        arrays.close();
    }
}
