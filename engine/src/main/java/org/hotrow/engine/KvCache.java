package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
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
 * The cache of a device whose memory this process can reach, which is not so on a GPU: the KV tensor, the host pool beside
 * it, the allocator that decides over both, and the copies that a step asks for. Copies are done when they return, so what the allocator hears of them is always complete.
 */
final class KvCache implements AutoCloseable {
    private final ModelConfig config;
    private final CacheConfig cache;
    private final KvGeometry geometry;
    private final RowFormat rows;
    private final IndexFormat keys;
    private final KvSlabs slabs;
    private final Optional<HostPool> host;
    private final Allocator allocator;
    private final HotSlots hot;
    private long bytesRestored;
    private long bytesImported;
    /** Of each block when it was last poisoned; empty when nothing is to be. */
    private int[] generations = {};

    /**
     * @param weightBytes what the machine's memory has to hold beside it
     * @throws EngineException if the machine hasn't the memory
     * @throws IllegalArgumentException if no such cache can be laid out
     */
    KvCache(ModelConfig config, CacheFormat format, CacheConfig cache, long weightBytes) {
        this.config = config;
        this.cache = cache;
        rows = format.rowFormat(config);
        keys = format.keyFormat(config);
        geometry = cache.geometry(config, format);
        MachineMemory.require(
                weightBytes + geometry.bytes() + cache.hostPages() * geometry.hostPageBytes(),
                "the weights with a cache of " + cache.blocks() + " blocks and " + cache.hostPages() + " host pages",
                "shorten the prompt, lower --max-new-tokens, or lower --kv-blocks and --host-pool-mib");
        allocator = cache.allocator(geometry, config.indexer().topK());
        hot = new HotSlots(cache.seats(), config.indexer().anchors().size(), hotBlocks() * Block.TOKENS);
        slabs = new KvSlabs(geometry);
        try {
            host = cache.hostPages() == 0
                    ? Optional.empty()
                    : Optional.of(HostPool.open(HostMemory.plain(), geometry, cache.hostPages()));
        } catch (HostMemoryException e) {
            slabs.close();
            throw new EngineException(e.getMessage() + " (--host-pool-mib)");
        } catch (RuntimeException | Error e) {
            slabs.close();
            throw e;
        }
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

    KvSlabs slabs() {
        return slabs;
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
        slabs.poison();
        host.ifPresent(pool -> {
            for (int page = 0; page <= pool.pages(); page++) {
                pool.page(new HostPageId(page)).fill(KvSlabs.NAN_BYTE);
            }
        });
    }

    /** What comes before the first layer of a step. */
    void restore(Step step) {
        if (generations.length > 0) {
            poisonTaken(step);
        }
        for (Step.IndexCopy copy : step.indexCopies()) {
            for (int anchor : config.indexer().anchors()) {
                keys(anchor, copy.to().value(), copy.page())
                        .copyFrom(keys(anchor, copy.from().value(), copy.page()));
            }
        }
        for (Step.IndexRestore restore : step.indexRestores()) {
            for (int anchor : config.indexer().anchors()) {
                keys(anchor, restore.to().value(), restore.page())
                        .copyFrom(host.orElseThrow().keys(restore.from(), anchor));
                bytesRestored += geometry.indexPageBytes();
            }
        }
        for (Step.RowRestore restore : step.rowRestores()) {
            for (int layer = 0; layer < config.layers(); layer++) {
                MemorySegment page = host.orElseThrow().rows(restore.from(), layer);
                rows(layer, restore.to().value()).copyFrom(page);
                bytesRestored += page.byteSize();
            }
        }
        step.imports().forEach(this::bring);
    }

    private void bring(Step.PageImport page) {
        Import source = page.request().imported().orElseThrow();
        long rowBytes = (long) page.tokens() * geometry.rowBytes();
        for (int layer = 0; layer < config.layers(); layer++) {
            int of = layer;
            page.rows()
                    .ifPresent(block -> source.readRows(
                            of, page.page(), rows(of, block.value()).asSlice(0, rowBytes)));
            page.to()
                    .ifPresent(to ->
                            source.readRows(of, page.page(), host.orElseThrow().rows(to, of)));
            bytesImported += rowBytes;
        }
        for (int anchor : config.indexer().anchors()) {
            MemorySegment keys = keys(anchor, page.index().value(), page.indexPage());
            source.readKeys(anchor, page.page(), page.tokens(), keys);
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
                for (int layer = 0; layer < config.layers(); layer++) {
                    rows(layer, block).fill(KvSlabs.NAN_BYTE);
                }
            }
        }
        step.writeBacks().forEach(copy -> host.orElseThrow().page(copy.to()).fill(KvSlabs.NAN_BYTE));
    }

    /** What comes after the last layer: sealed pages go to the host. */
    void writeBack(Step step) {
        for (Step.WriteBack copy : step.writeBacks()) {
            HostPool pool = host.orElseThrow();
            for (int layer = 0; layer < config.layers(); layer++) {
                pool.rows(copy.to(), layer).copyFrom(rows(layer, copy.rows().value()));
            }
            for (int anchor : config.indexer().anchors()) {
                pool.keys(copy.to(), anchor).copyFrom(keys(anchor, copy.index().value(), copy.indexPage()));
            }
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
        for (int layer = 0; layer < config.layers(); layer++) {
            long at = (long) offset * rows.rowBytes() + rows.exponentByte();
            MemorySegment layerRows = pool.rows(page, layer);
            int old = layerRows.get(ValueLayout.JAVA_BYTE, at);
            int exponent = Math.min((old & 0x7F) + 8, 0x77);
            layerRows.set(ValueLayout.JAVA_BYTE, at, (byte) ((old & 0x80) | exponent));
        }
    }

    /** The rows of one layer in a block. */
    MemorySegment rows(int layer, int block) {
        return slabs.of(layer)
                .asSlice(geometry.rowOffset(layer, block * Block.TOKENS), (long) Block.TOKENS * geometry.rowBytes());
    }

    /** An index page of an anchor. */
    MemorySegment keys(int anchor, int block, int page) {
        return slabs.of(anchor).asSlice(geometry.indexPageOffset(anchor, block, page), geometry.indexPageBytes());
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
        slabs.close();
        host.ifPresent(HostPool::close);
    }
}
