package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.kernels.Gather;
import org.hotrow.kernels.Gather.Layout;
import org.hotrow.kernels.Misses;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.Resolve;

/**
 * Brings the selected rows of a step to where attention reads them.
 *
 * <pre>
 * rows of the step   | group 0          | group 1 | ...       a group attends together
 * misses of the unit | loads of group 0 | ...                 found once, at the anchor; loaded in each of its layers
 * </pre>
 *
 * Rows of guesses share the hot region with the row before them and with each other: the first whose misses don't fit is
 * dropped, with all behind it, and so never needs a group of its own.
 *
 * <p>A group takes rows of each request as long as what they select and isn't resident fits in its hot region: all of a
 * decode step, and of prefill at least one row. Loads of a group overwrite what the group before it has read, so a
 * layer loads and attends group after group.
 */
final class CpuHotRows {
    private final StepArrays step;
    private final KvCache cache;
    private final KvSlabs slabs;
    private final Workers workers;
    private final Resolve resolve;
    private final Misses misses = new Misses();
    private final int[] unitOf;
    private final Layout[] hostLayout;
    private final Layout[] slabLayout;
    private final int pagesPerChunk;
    private final List<MemorySegment> hostChunks;
    private final int[] rowEnd;
    private final int[] missEnd;
    private final SelectionUnion union;
    private int groups;
    private long lookups;
    private long hits;
    private long hostRowsRead;

    // The arguments of the running gather.
    private int layer;
    private int firstMiss;
    private final Workers.Run loads = this::loads;

    CpuHotRows(StepArrays step, KvCache cache, List<Integer> anchors, Workers workers) {
        this.step = step;
        this.cache = cache;
        slabs = KvSlabs.of(cache.tensor());
        this.workers = workers;
        resolve = new Resolve(
                cache.hot(), step.blockTable, step.hostTable, step.maxPages, step.hotTable, step.maxHotBlocks);
        KvGeometry geometry = cache.geometry();
        unitOf = new int[geometry.layers()];
        for (int unit = 0; unit < anchors.size(); unit++) {
            unitOf[anchors.get(unit)] = unit;
        }
        hostLayout = new Layout[geometry.layers()];
        slabLayout = new Layout[geometry.layers()];
        long layerBytes = (long) Block.TOKENS * geometry.rowBytes();
        for (int l = 0; l < geometry.layers(); l++) {
            hostLayout[l] = new Layout(geometry.hostPageBytes(), l * layerBytes, geometry.rowBytes());
            slabLayout[l] = new Layout(
                    geometry.blockBytes(geometry.slabOf(l)), geometry.layerInSlab(l) * layerBytes, geometry.rowBytes());
        }
        hostChunks = cache.host().map(HostPool::chunks).orElse(List.of());
        pagesPerChunk = cache.host().map(HostPool::pagesPerChunk).orElse(1);
        rowEnd = new int[step.maxRows];
        missEnd = new int[step.maxRows];
        union = new SelectionUnion(step, cache.drafting());
    }

    /**
     * What the indexer says of the positions that a row may see. The first row of a request in the step speaks for all of
     * them: rows that are verified together share a resolve, and groups of a prompt go by the values of the step.
     */
    void score(int anchor, int row, float[] scores, int from, int count) {
        int seat = step.request[row];
        boolean first = row == 0 || step.request[row - 1] != seat;
        if (first && step.hasHotRegion(seat) && cache.hot().replacement() == Replacement.SCORE) {
            cache.hot().score(seat, unitOf[anchor], scores, from, count);
        }
    }

    /** Positions to device rows, in groups, for the layers from an anchor to the next. */
    void resolve(int anchor, CpuInts positions, CpuInts rows) {
        misses.clear();
        groups = 0;
        int width = positions.width();
        for (int t = 0; t < step.rows(); ) {
            int seat = step.request[t];
            int end = t + 1;
            while (end < step.rows() && step.request[end] == seat) {
                end++;
            }
            int live = live(t, end);
            union.add(positions, t, live);
            int count = step.hasHotRegion(seat)
                    ? resolve.fitting(seat, positions.data(), positions.at(t), width, live)
                    : live;
            resolve.resolve(
                    seat,
                    unitOf[anchor],
                    positions.data(),
                    positions.at(t),
                    count * width,
                    rows.data(),
                    rows.at(t),
                    misses);
            t += count;
            if (t < end && step.guessed[t]) {
                drop(t, end, rows);
                t = end;
            }
            // What is left of a request needs its hot region again.
            if (t < end || t == step.rows()) {
                rowEnd[groups] = t;
                missEnd[groups++] = misses.count();
            }
        }
        lookups += misses.lookups();
        hits += misses.lookups() - misses.count();
    }

    /** Rows up to the first that was dropped at an earlier anchor. */
    private int live(int from, int end) {
        int live = 0;
        while (from + live < end && !step.dropped[from + live]) {
            live++;
        }
        return live;
    }

    /** Guesses that have no room: they attend to nothing, in this unit and all after it. */
    private void drop(int from, int end, CpuInts rows) {
        Arrays.fill(rows.data(), rows.at(from), rows.at(end), -1);
        Arrays.fill(step.dropped, from, end, true);
    }

    int groups() {
        return groups;
    }

    /** The row of the step after the last of a group. */
    int rowEnd(int group) {
        return rowEnd[group];
    }

    /** Loads what a group misses in one layer. */
    void gather(int layer, int group) {
        this.layer = layer;
        firstMiss = group == 0 ? 0 : missEnd[group - 1];
        int count = missEnd[group] - firstMiss;
        hostRowsRead += count;
        // A byte costs about as much as a multiply-add.
        workers.run(count, cache.geometry().rowBytes(), loads);
    }

    private void loads(int worker, int from, int to) {
        Gather.rows(
                misses,
                firstMiss + from,
                firstMiss + to,
                hostChunks,
                pagesPerChunk,
                hostLayout[layer],
                slabs.of(layer),
                slabLayout[layer]);
    }

    /** What rows that were verified together have selected. */
    SelectionUnion union() {
        return union;
    }

    long lookups() {
        return lookups;
    }

    long hits() {
        return hits;
    }

    long hostRowsRead() {
        return hostRowsRead;
    }
}
