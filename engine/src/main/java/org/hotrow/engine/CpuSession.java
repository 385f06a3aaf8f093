package org.hotrow.engine;

import java.util.Objects;
import java.util.Optional;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.BlockPool;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelWeights;

/**
 * One request on the CPU: its cache in paged slabs, all of it resident, and the walk that fills it. Tokens go in, in
 * chunks of any size up to the limit; logits come out.
 */
final class CpuSession implements AutoCloseable {
    private final boolean everyLogit;
    private final StepArrays step;
    private final KvSlabs slabs;
    private final RowFormat rows;
    private final IndexFormat keys;
    private final Sequence sequence;
    private final ModelWalk walk;

    /**
     * @param capacity tokens that the cache takes
     * @param maxRows tokens of the largest chunk
     * @param everyLogit logits of all tokens of a step, else of the last one only
     * @throws EngineException if such a cache can't be laid out or is larger than the machine's memory
     */
    CpuSession(
            ModelConfig config,
            ModelWeights tensors,
            CpuWeights weights,
            Workers workers,
            Lanes lanes,
            CacheFormat format,
            int capacity,
            int maxRows,
            boolean everyLogit,
            WalkProbe probe) {
        this.everyLogit = everyLogit;
        KvGeometry geometry = geometry(config, format, capacity);
        HostMemory.require(
                tensors.bytes() + geometry.bytes(),
                "the weights with a cache of " + capacity + " tokens",
                "shorten the prompt or lower --max-new-tokens");
        rows = format.rowFormat(config);
        keys = format.keyFormat(config);
        int pages = pages(capacity);
        int indexBlocks = indexBlocks(capacity, geometry.indexTokensPerBlock());
        step = new StepArrays(maxRows, everyLogit ? maxRows : 1, 1, pages, indexBlocks);
        sequence = new Sequence(new BlockPool(1 + pages + indexBlocks), geometry);
        slabs = new KvSlabs(geometry);
        try {
            walk = new ModelWalk(
                    config, tensors, new CpuOps(config, weights, step, slabs, rows, keys, workers, lanes), probe);
        } catch (RuntimeException | Error e) {
            slabs.close();
            throw e;
        }
    }

    /** As {@link #layout(ModelConfig, CacheFormat, int)}, for a cache whose size the user asked for. */
    private static KvGeometry geometry(ModelConfig config, CacheFormat format, int capacity) {
        try {
            return layout(config, format, capacity);
        } catch (IllegalArgumentException e) {
            throw new EngineException("a cache of " + capacity
                    + " tokens can't be laid out, shorten the prompt or lower --max-new-tokens: " + e.getMessage());
        }
    }

    /**
     * A pool of just the blocks that {@code capacity} tokens take, the null block included.
     *
     * @throws IllegalArgumentException if the rows or index pages of this model don't fit a block, or the pool a slab
     */
    static KvGeometry layout(ModelConfig config, CacheFormat format, int capacity) {
        RowFormat rows = format.rowFormat(config);
        IndexFormat keys = format.keyFormat(config);
        int pages = pages(capacity);
        KvGeometry smallest = layout(config, rows, keys, 1, pages);
        // A larger pool may need more slabs, and then an index block may take fewer tokens.
        int indexBlocks = indexBlocks(capacity, smallest.indexTokensPerBlock());
        KvGeometry geometry = layout(config, rows, keys, indexBlocks, pages);
        while (indexBlocks(capacity, geometry.indexTokensPerBlock()) > indexBlocks) {
            indexBlocks = indexBlocks(capacity, geometry.indexTokensPerBlock());
            geometry = layout(config, rows, keys, indexBlocks, pages);
        }
        return geometry;
    }

    /** Why this model has no cache of a format, not even for one token; empty if it has. */
    static Optional<String> refusal(ModelConfig config, CacheFormat format) {
        try {
            layout(config, format, 1);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(Objects.requireNonNull(e.getMessage()));
        }
    }

    private static KvGeometry layout(ModelConfig config, RowFormat rows, IndexFormat keys, int indexBlocks, int pages) {
        return KvGeometry.of(
                config.layers(),
                config.indexer().anchors(),
                rows.rowBytes(),
                keys.pageBytes(),
                1 + pages + indexBlocks);
    }

    private static int pages(int tokens) {
        return Math.ceilDiv(tokens, Block.TOKENS);
    }

    private static int indexBlocks(int tokens, int tokensPerBlock) {
        return Math.ceilDiv(tokens, tokensPerBlock);
    }

    /** Tokens in the cache. */
    int length() {
        return sequence.length();
    }

    KvSlabs slabs() {
        return slabs;
    }

    /**
     * Takes {@code ids[from .. from + count - 1]} through the model in one step.
     *
     * @throws EngineException if the cache is full
     */
    void step(int[] ids, int from, int count) {
        int first = sequence.length();
        if (!sequence.extend(count)) {
            throw new EngineException("the cache is full at " + first + " tokens, " + count + " more don't fit");
        }
        step.clear();
        int seat = step.seat(sequence);
        for (int i = 0; i < count; i++) {
            boolean wanted = everyLogit || i == count - 1;
            step.addRow(seat, ids[from + i], first + i, sequence.row(first + i), wanted);
        }
        walk.step();
    }

    /** Logits of the last step: row i belongs to its i-th token that wanted them. */
    CpuActivation logits() {
        return CpuActivation.of(walk.logits());
    }

    CpuActivation finalNorm() {
        return CpuActivation.of(walk.finalNorm());
    }

    /** The stored row of {@code position}, decoded: {@code [latent | rope]}. */
    void readRow(int layer, int position, float[] row) {
        long at = slabs.geometry().rowOffset(layer, sequence.row(position));
        rows.read(slabs.of(layer), at, row, 0);
    }

    /** The stored index key of {@code position}, decoded. */
    void readIndexKey(int layer, int position, float[] key) {
        long page =
                slabs.geometry().indexPageOffset(layer, sequence.indexBlock(position), sequence.indexPage(position));
        keys.read(slabs.of(layer), page, position % Block.TOKENS, key, 0);
    }

    @Override
    public void close() {
        slabs.close();
    }
}
