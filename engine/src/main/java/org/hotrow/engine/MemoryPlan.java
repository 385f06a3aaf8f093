package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.tornado.ExpertGroups;
import org.hotrow.kernels.tornado.RadixTopK;
import org.hotrow.kernels.tornado.RowResolver;
import org.hotrow.kernels.tornado.ScoredResolver;
import org.hotrow.kernels.tornado.SparseMla;
import org.hotrow.kernels.tornado.SparseMlaSplit;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.MlpConfig;
import org.hotrow.modelloader.ModelConfig;

/**
 * What a device of task graphs has to hold, known before anything is allocated.
 *
 * <pre>
 * weights      by kind, as {@link GraphWeights} loads them
 * KV tensor    the pool, hot regions included
 * resolver     maps, orders and, if they are asked for, values of the hot regions, and scratch
 * workspace    of the graphs for each number of rows: activations, scores, selection, loads; what the drafter goes on from
 * step         what goes up for each step
 * rest         tables of number codes, places of layers
 * driver       what it takes for itself
 * </pre>
 */
final class MemoryPlan {
    /** Bytes of one use. */
    private record Item(String use, long bytes) {}

    private static final int CODE_TABLES = 2 * 256 * Float.BYTES;
    /** Of a layer: where it lies in its slab, and of an anchor. */
    private static final int PLACES_OF_A_LAYER = 64;

    private final List<Item> items = new ArrayList<>();
    private final long hotBytes;
    private final ModelConfig config;
    private final CacheFormat format;
    private final KvGeometry geometry;
    private final StepArrays step;
    private final boolean drafting;

    /**
     * @param step arrays of the largest step
     * @param rows of the parts of a step that have graphs of their own
     * @param driverBytes that the device's driver takes for itself
     */
    MemoryPlan(
            Model model,
            CacheFormat format,
            CacheConfig cache,
            KvGeometry geometry,
            StepArrays step,
            List<Integer> rows,
            long driverBytes) {
        config = model.config();
        this.format = format;
        this.geometry = geometry;
        this.step = step;
        drafting = cache.drafting();
        WeightBytes weights = WeightBytes.of(model.weights(), drafting);
        items.add(new Item("embedding and head", weights.ends()));
        items.add(new Item("attention", weights.attention()));
        items.add(new Item("dense and shared MLPs", weights.dense()));
        items.add(new Item("routed experts", weights.experts()));
        items.add(new Item("KV tensor", geometry.bytes()));
        hotBytes = (long) cache.hotBlocks() * cache.seats() * (geometry.bytes() / geometry.blocks());
        int units = geometry.anchors();
        boolean scored = cache.replacement() == Replacement.SCORE && cache.hotBlocks() > 0;
        long values = scored ? ScoredResolver.Slots.bytes(resolver(1)) : 0;
        items.add(new Item("resolver", resolver(1).deviceBytes() + values + (long) units * 3 * Long.BYTES));
        long kept = drafting ? GraphDrafts.Kept.bytes(config, step.maxRows) : 0;
        items.add(new Item(
                "workspace", kept + rows.stream().mapToLong(this::workspace).sum()));
        long tables = 4L
                * (step.blockTable.length
                        + step.hostTable.length
                        + step.indexTable.length
                        + step.hotTable.length
                        + step.resetSeat.length);
        items.add(new Item(
                "step", tables + rows.stream().mapToLong(this::stepBytes).sum()));
        items.add(new Item("rest", (long) rows.size() * CODE_TABLES + (long) PLACES_OF_A_LAYER * geometry.layers()));
        items.add(new Item("driver", driverBytes));
    }

    private RowResolver.Shape resolver(int maxRows) {
        return new RowResolver.Shape(
                maxRows,
                config.indexer().topK(),
                step.maxSeqs,
                geometry.anchors(),
                step.maxPages,
                step.maxHotBlocks,
                step.maxHotBlocks * Block.TOKENS);
    }

    /** Of the graphs for so many rows. */
    private long workspace(int maxRows) {
        AttentionConfig a = config.attention();
        IndexerConfig i = config.indexer();
        int topK = i.topK();
        long attention = a.queryRank()
                + (long) a.heads() * (a.queryDim() + a.latentRank() + a.ropeDim() + a.latentRank() + a.valueDim())
                + a.latentRank()
                + a.ropeDim();
        int mostTokens = step.maxPages * Block.TOKENS;
        long indexer = (long) i.heads() * (i.headDim() + 1) + i.headDim() + 2L * topK + mostTokens;
        // Of a drafter the embedding, and both that it joins.
        long hidden = drafting ? 7 : 4;
        long floats = (long) maxRows * (hidden * config.hiddenSize() + attention + indexer + mlp())
                + (long) Math.min(maxRows, step.maxLogitRows) * (config.hiddenSize() + config.vocabSize());
        return 4 * floats
                + new ExpertGroups.Shape(
                                maxRows, config.mlp().experts(), config.mlp().expertsPerToken())
                        .arrayBytes()
                + new RadixTopK.Shape(maxRows, mostTokens, topK).scratchBytes()
                + SparseMlaSplit.bytes(
                        new SparseMla.Shape(maxRows, a.heads(), a.latentRank(), a.ropeDim(), topK, format.rows()))
                + resolver(maxRows).loadBytes();
    }

    /** Values of a row: of dense MLPs, the shared experts, and the routed ones. */
    private long mlp() {
        MlpConfig m = config.mlp();
        long routed = m.experts() + (long) m.expertsPerToken() * (2 + 2L * m.expertWidth() + config.hiddenSize());
        return 2L * m.denseWidth() + 2L * m.expertWidth() * m.sharedExperts() + routed;
    }

    /** Counts, span, five numbers of each row, and its angles; with drafts three more. */
    private long stepBytes(int maxRows) {
        long ints = drafting ? 5L + GraphDrafts.INTS : 5L;
        return 4L
                * (step.counts.length + 2 + maxRows * (ints + config.attention().ropeDim()));
    }

    /** Bytes of all. */
    long total() {
        return items.stream().mapToLong(Item::bytes).sum();
    }

    /** A line for each use, and the total. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        items.forEach(item -> lines.add(line(item.use, item.bytes)));
        lines.add(line("  of it hot", hotBytes));
        lines.add(line("together", total()));
        return lines;
    }

    private static String line(String use, long bytes) {
        return String.format(Locale.ROOT, "%-24s %,18d bytes", use, bytes);
    }

    /**
     * Refuses what a device can't hold.
     *
     * @param advice what to do, beside asking for less
     * @throws EngineException with the bytes of each use
     */
    void require(String device, long memory, String advice) {
        if (total() > memory) {
            String uses = items.stream()
                    .map(item -> item.use + " " + String.format(Locale.ROOT, "%,d", item.bytes))
                    .collect(Collectors.joining(", "));
            throw new EngineException(String.format(
                    Locale.ROOT,
                    "%s has %,d bytes of memory and this takes %,d: %s (of the KV tensor, hot regions %,d, a block %,d);"
                            + " lower --kv-blocks (here %d), --max-seqs or --max-new-tokens, %s",
                    device,
                    memory,
                    total(),
                    uses,
                    hotBytes,
                    geometry.bytes() / geometry.blocks(),
                    geometry.blocks(),
                    advice));
        }
    }
}
