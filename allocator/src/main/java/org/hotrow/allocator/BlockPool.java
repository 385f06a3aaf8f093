package org.hotrow.allocator;

import java.util.Arrays;
import java.util.Optional;
import org.eclipse.collections.impl.map.mutable.primitive.ObjectIntHashMap;

/**
 * The blocks of the KV tensor: reference counts, and a queue of the blocks that nobody references, some of them still
 * readable ({@link RefQueue}). Block 0 is null and stays here.
 *
 * <p>One thread owns the pool.
 */
public final class BlockPool {
    /** Hears that a readable block goes to a new owner, before the new owner has it. */
    @FunctionalInterface
    interface ReuseListener {
        void reused(int block, BlockGroup was);
    }

    private final RefQueue queue;
    private final BlockGroup[] groupOf;
    private final ObjectIntHashMap<BlockGroup> pinned = new ObjectIntHashMap<>();
    private int peak;

    /** A pool of {@code total} blocks, the null block included; 2 or more. */
    public BlockPool(int total) {
        this(total, (block, was) -> {});
    }

    BlockPool(int total, ReuseListener listener) {
        if (total < 2) {
            throw new IllegalArgumentException(
                    "pool of " + total + " blocks: expected at least 2, because block 0 is null");
        }
        groupOf = new BlockGroup[total];
        Arrays.fill(groupOf, BlockGroup.ROWS);
        queue = new RefQueue(total, block -> listener.reused(block, group(block)));
    }

    /** A block of rows, or empty when all are taken. */
    public Optional<BlockId> take() {
        return free() > 0 ? Optional.of(new BlockId(take(BlockGroup.ROWS))) : Optional.empty();
    }

    /** Blocks that can still be taken, those among them that are still readable too. */
    public int free() {
        return queue.free();
    }

    /** All blocks, the null block included. */
    public int total() {
        return queue.total();
    }

    /** Blocks of a group that are referenced. */
    public int pinned(BlockGroup group) {
        return pinned.get(group);
    }

    /** Most blocks that were ever referenced or readable at once. */
    public int peak() {
        return peak;
    }

    int take(BlockGroup group) {
        int block = queue.take();
        groupOf[block] = group;
        pinned.addToValue(group, 1);
        peak = Math.max(peak, total() - 1 - queue.free() + queue.readable());
        return block;
    }

    void hold(int block) {
        queue.hold(block);
        if (queue.refs(block) == 1) {
            pinned.addToValue(groupOf[block], 1);
        }
    }

    void drop(int block, boolean keepsBytes) {
        queue.drop(block, keepsBytes);
        if (queue.refs(block) == 0) {
            pinned.addToValue(groupOf[block], -1);
        }
    }

    void forget(int block) {
        queue.forget(block);
    }

    int refs(int block) {
        return queue.refs(block);
    }

    int generation(int block) {
        return queue.generation(block);
    }

    BlockGroup group(int block) {
        return groupOf[block];
    }

    RefQueue queue() {
        return queue;
    }

    /** Every block is either queued or referenced: the part of {@link #check} that costs nothing. */
    void checkCounts() {
        long referenced = pinned.sum();
        Check.that(
                referenced + queue.free() == total() - 1,
                "{} referenced + {} free blocks are not {}",
                referenced,
                queue.free(),
                total() - 1);
    }

    void check() {
        checkCounts();
        queue.check();
        for (BlockGroup group : BlockGroup.values()) {
            int counted = 0;
            for (int block = 1; block < total(); block++) {
                counted += groupOf[block] == group && queue.refs(block) > 0 ? 1 : 0;
            }
            Check.that(counted == pinned(group), "{} blocks of {}, {} counted", counted, group, pinned(group));
        }
    }
}
