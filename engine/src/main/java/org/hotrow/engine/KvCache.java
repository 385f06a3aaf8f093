package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.BlockId;
import org.hotrow.allocator.Completion.Kind;
import org.hotrow.allocator.HostMemory;
import org.hotrow.allocator.HostMemoryException;
import org.hotrow.allocator.HostPageId;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.Step;
import org.hotrow.kernels.HotSlots;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.ModelConfig;

/**
 * The cache of a device: the KV tensor, the host pool beside it, the allocator that decides over both, and the copies that
 * a step asks for. Copies are done when they return, so what the allocator hears of them is always complete.
 */
final class KvCache implements AutoCloseable {
    private final CacheConfig cache;
    private final KvGeometry geometry;
    private final RowFormat rows;
    private final IndexFormat keys;
    private final KvTensor tensor;
    private final Optional<HostPool> host;
    private final Allocator allocator;
    private final HotSlots hot;
    private long bytesRestored;
    private long bytesImported;
    /** Of each block when it was last poisoned; empty when nothing is to be. */
    private int[] generations = {};

    /** Where the memory of a cache comes from. */
    interface Memory {
        /** The KV tensor. */
        KvTensor tensor(KvGeometry geometry);

        /** Whether tensor and weights lie in this machine's memory, beside the host pool. */
        default boolean ofThisMachine() {
            return true;
        }

        /** Memory for host pages that the device reads; asked for after {@link #tensor}, on the same thread. */
        HostMemory host();

        /** This process's memory. */
        static Memory here() {
            return of(KvSlabs::new, HostMemory::plain);
        }

        /** Memory of a device that runs task graphs, and what of the host it reads. */
        static Memory of(DeviceArrays arrays) {
            return of(geometry -> new GraphKvTensor(arrays, geometry), arrays::hostMemory);
        }

        private static Memory of(Function<KvGeometry, KvTensor> tensor, Supplier<HostMemory> host) {
            return new Memory() {
                @Override
                public KvTensor tensor(KvGeometry geometry) {
                    return tensor.apply(geometry);
                }

                @Override
                public HostMemory host() {
                    return host.get();
                }
            };
        }
    }

    /**
     * @param weightBytes what the machine's memory has to hold beside it
     * @throws EngineException if the machine hasn't the memory
     * @throws IllegalArgumentException if no such cache can be laid out
     */
    KvCache(ModelConfig config, CacheFormat format, CacheConfig cache, long weightBytes, Memory memory) {
        this.cache = cache;
        rows = format.rowFormat(config);
        keys = format.keyFormat(config);
        geometry = cache.geometry(config, format);
        MachineMemory.require(
                (memory.ofThisMachine() ? weightBytes + geometry.bytes() : 0)
                        + cache.hostPages() * geometry.hostPageBytes(),
                "the weights with a cache of " + cache.blocks() + " blocks and " + cache.hostPages() + " host pages",
                "shorten the prompt, lower --max-new-tokens, or lower --kv-blocks and --host-pool-gib or --host-pool-mib");
        allocator = cache.allocator(geometry, config.indexer().topK());
        hot = new HotSlots(cache.seats(), geometry.anchors(), hotBlocks() * Block.TOKENS, cache.replacement());
        tensor = memory.tensor(geometry);
        try {
            host = cache.hostPages() == 0
                    ? Optional.empty()
                    : Optional.of(HostPool.open(memory.host(), geometry, cache.hostPages()));
        } catch (HostMemoryException e) {
            tensor.close();
            throw new EngineException(e.getMessage() + " (--host-pool-gib, --host-pool-mib)");
        } catch (RuntimeException | Error e) {
            tensor.close();
            throw e;
        }
    }

    /** Most guesses of a request at once. */
    int drafts() {
        return cache.drafts();
    }

    /** Whether it has rows and keys of the MTP layer. */
    boolean drafting() {
        return cache.drafting();
    }

    KvGeometry geometry() {
        return geometry;
    }

    RowFormat rowFormat() {
        return rows;
    }

    IndexFormat keyFormat() {
        return keys;
    }

    KvTensor tensor() {
        return tensor;
    }

    Allocator allocator() {
        return allocator;
    }

    Optional<HostPool> host() {
        return host;
    }

    /** What the hot regions hold; no slots under a policy that has none. */
    HotSlots hot() {
        return hot;
    }

    /** Blocks of a hot region. */
    int hotBlocks() {
        return cache.hotBlocks();
    }

    /** Fills all memory with NaN, and from now on every block and page that changes its owner. */
    void poison() {
        generations = new int[geometry.blocks()];
        for (int slab = 0; slab < geometry.slabs(); slab++) {
            tensor.poison(geometry.firstLayer(slab), 0, geometry.slabBytes(slab));
        }
        host.ifPresent(pool -> {
            for (int page = 0; page <= pool.pages(); page++) {
                pool.page(new HostPageId(page)).fill(KvTensor.NAN_BYTE);
            }
        });
    }

    /** What comes before the first layer of a step. */
    void restore(Step step) {
        if (generations.length > 0) {
            poisonTaken(step);
        }
        tensor.copyKeys(step.indexCopies());
        host.ifPresent(pool -> {
            tensor.restoreKeys(step.indexRestores(), pool);
            tensor.restoreRows(step.rowRestores(), pool);
        });
        bytesRestored += step.indexRestores().size() * (long) geometry.anchors() * geometry.indexPageBytes()
                + (long) step.rowRestores().size() * geometry.layers() * pageBytes();
        step.imports().forEach(this::bring);
    }

    private void bring(Step.PageImport page) {
        Import source = page.request().imported().orElseThrow();
        MemorySegment some =
                MemorySegment.ofArray(new byte[Math.toIntExact(page.tokens() * (long) geometry.rowBytes())]);
        for (int layer = 0; layer < geometry.layers(); layer++) {
            source.readRows(layer, page.page(), some);
            if (page.rows().isPresent()) {
                tensor.write(layer, rowsOffset(layer, page.rows().get().value()), some);
            }
            if (page.to().isPresent()) {
                MemorySegment rows = host.orElseThrow().rows(page.to().get(), layer);
                rows.asSlice(0, some.byteSize()).copyFrom(some);
            }
            bytesImported += some.byteSize();
        }
        MemorySegment keys = MemorySegment.ofArray(new byte[geometry.indexPageBytes()]);
        for (int anchor : geometry.anchorLayers()) {
            keys.fill(KvTensor.NAN_BYTE);
            source.readKeys(anchor, page.page(), page.tokens(), keys);
            tensor.write(anchor, geometry.indexPageOffset(anchor, page.index().value(), page.indexPage()), keys);
            page.to().ifPresent(to -> host.orElseThrow().keys(to, anchor).copyFrom(keys));
            bytesImported += (long) page.tokens() * geometry.indexPageBytes() / Block.TOKENS;
        }
        page.to().ifPresent(to -> damage(page.page(), to));
    }

    /** Bytes that a block's or page's last owner left must not be read by the next. */
    private void poisonTaken(Step step) {
        for (int block = 1; block < generations.length; block++) {
            int generation = allocator.generation(new BlockId(block));
            if (generation != generations[block]) {
                generations[block] = generation;
                for (int layer = 0; layer < geometry.layers(); layer++) {
                    tensor.poison(layer, rowsOffset(layer, block), pageBytes());
                }
            }
        }
        step.writeBacks().forEach(copy -> host.orElseThrow().page(copy.to()).fill(KvTensor.NAN_BYTE));
    }

    /** What comes after the last layer: sealed pages go to the host. */
    void copyBack(Step step) {
        host.ifPresent(pool -> tensor.writeBack(step.writeBacks(), pool));
    }

    /** The step of these copies is done, and they are. */
    void completed(Step step) {
        for (Step.WriteBack copy : step.writeBacks()) {
            damage(copy.page(), copy.to());
            post(copy, Kind.COMPLETED);
        }
    }

    /** The step of these copies failed: there is nothing to copy. */
    void giveUp(Step step) {
        step.writeBacks().forEach(copy -> post(copy, Kind.FAILED));
    }

    private void post(Step.WriteBack copy, Kind kind) {
        allocator.post(new org.hotrow.allocator.Completion(copy.copy(), kind));
    }

    /** If the fault is in a request's page, damages the host's copy of it. */
    private void damage(int page, HostPageId copy) {
        if (cache.fault() >= 0 && page == cache.fault() / Block.TOKENS) {
            damage(host.orElseThrow(), copy, cache.fault() % Block.TOKENS);
        }
    }

    /** Makes the first number of a row 2^16 times as large, by one byte in every layer: far too much, but finite. */
    private void damage(HostPool pool, HostPageId page, int offset) {
        for (int layer = 0; layer < geometry.layers(); layer++) {
            long at = (long) offset * rows.rowBytes() + rows.exponentByte();
            MemorySegment layerRows = pool.rows(page, layer);
            int old = layerRows.get(ValueLayout.JAVA_BYTE, at);
            int exponent = Math.min((old & 0x7F) + 8, 0x77);
            layerRows.set(ValueLayout.JAVA_BYTE, at, (byte) ((old & 0x80) | exponent));
        }
    }

    private long rowsOffset(int layer, int block) {
        return geometry.rowOffset(layer, block * Block.TOKENS);
    }

    /** Bytes of the rows of a page in one layer. */
    private long pageBytes() {
        return (long) Block.TOKENS * geometry.rowBytes();
    }

    /** The rows of one layer in a block. */
    MemorySegment rows(int layer, int block) {
        MemorySegment rows = MemorySegment.ofArray(new byte[Math.toIntExact(pageBytes())]);
        tensor.read(layer, rowsOffset(layer, block), rows);
        return rows;
    }

    /** An index page of an anchor. */
    MemorySegment keys(int anchor, int block, int page) {
        MemorySegment keys = MemorySegment.ofArray(new byte[geometry.indexPageBytes()]);
        tensor.read(anchor, geometry.indexPageOffset(anchor, block, page), keys);
        return keys;
    }

    /** What was done, with what the walk counted. */
    CacheCounters counters(StepWalk walk) {
        var counted = allocator.counters();
        return new CacheCounters(
                walk.lookups(),
                walk.hits(),
                walk.hostRowsRead(),
                walk.hostRowsRead() * geometry.rowBytes(),
                bytesRestored,
                bytesImported,
                counted.spilledPages(),
                counted.bytesWrittenBack(),
                counted.peakDeviceBlocks());
    }

    @Override
    public void close() {
        tensor.close();
        host.ifPresent(HostPool::close);
    }
}
