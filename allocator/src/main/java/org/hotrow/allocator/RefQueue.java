package org.hotrow.allocator;

import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * Reference counts of numbered blocks, and the queue of those that nobody references.
 *
 * <pre>
 * head                                            tail
 *  blank, blank, ...  |  readable (oldest) ... readable (newest)
 * </pre>
 *
 * A block dropped as readable keeps its bytes until it is taken again, so it joins at the tail; a blank one joins at the
 * head and is used up first. Before a readable block is handed out the listener hears of it, so that nobody still
 * believes in the old bytes when the new owner may write. Block 0 is null; in the links it stands for both ends.
 */
final class RefQueue {
    private final IntConsumer reused;
    private final int[] refs;
    private final int[] next;
    private final int[] previous;
    /** How often each block was taken: names its content together with its number. */
    private final int[] generation;

    private final BitSet readable = new BitSet();
    private int queued;
    private int readableQueued;

    /**
     * @param total blocks, the null block included
     * @param reused hears the number of a readable block that is taken
     */
    RefQueue(int total, IntConsumer reused) {
        this.reused = reused;
        refs = new int[total];
        next = new int[total];
        previous = new int[total];
        generation = new int[total];
        for (int block = 1; block < total; block++) {
            link(block, previous[0], 0);
        }
    }

    /** Takes the block at the head. The caller has made sure that there is one. */
    int take() {
        int block = next[0];
        if (block == 0) {
            throw new IllegalStateException("all " + refs.length + " blocks are taken; the plan counted too few");
        }
        unlink(block);
        refs[block] = 1;
        generation[block]++;
        if (readable.get(block)) {
            readable.clear(block);
            reused.accept(block);
        }
        return block;
    }

    /** One more reference; a queued block leaves the queue with its bytes. */
    void hold(int block) {
        if (block == 0) {
            throw new IllegalStateException("the null block can't be held");
        }
        if (refs[block]++ == 0) {
            unlink(block);
            readable.clear(block);
        }
    }

    /** One reference less. The last one queues the block. */
    void drop(int block, boolean keepsBytes) {
        if (refs[block] <= 0) {
            throw new IllegalStateException("block " + block + " has no reference to drop");
        }
        if (--refs[block] == 0) {
            queue(block, keepsBytes);
        }
    }

    /** Nobody wants the bytes of this block any more; if it is queued it moves to the head. */
    void forget(int block) {
        if (readable.get(block)) {
            unlink(block);
            queue(block, false);
        }
    }

    int refs(int block) {
        return refs[block];
    }

    int generation(int block) {
        return generation[block];
    }

    int free() {
        return queued;
    }

    /** Queued blocks that keep their bytes. */
    int readable() {
        return readableQueued;
    }

    boolean isReadable(int block) {
        return readable.get(block);
    }

    int total() {
        return refs.length;
    }

    /** Queued blocks from head to tail. */
    int[] queue() {
        int[] blocks = new int[queued];
        int block = 0;
        for (int i = 0; i < queued; i++) {
            block = next[block];
            blocks[i] = block;
        }
        return blocks;
    }

    private void queue(int block, boolean keepsBytes) {
        readable.set(block, keepsBytes);
        if (keepsBytes) {
            link(block, previous[0], 0);
        } else {
            link(block, 0, next[0]);
        }
    }

    private void link(int block, int before, int after) {
        previous[block] = before;
        next[block] = after;
        next[before] = block;
        previous[after] = block;
        queued++;
        readableQueued += readable.get(block) ? 1 : 0;
    }

    private void unlink(int block) {
        next[previous[block]] = next[block];
        previous[next[block]] = previous[block];
        queued--;
        readableQueued -= readable.get(block) ? 1 : 0;
    }

    /** Walks the queue: it holds just the blocks without references, and blanks before readable ones where it may. */
    void check() {
        BitSet seen = new BitSet();
        int before = 0;
        for (int block = next[0]; block != 0; block = next[block]) {
            Check.that(!seen.get(block), "block {} is queued twice", block);
            Check.that(refs[block] == 0, "queued block {} has {} references", block, refs[block]);
            Check.that(previous[block] == before, "block {}: broken link", block);
            seen.set(block);
            before = block;
        }
        Check.that(previous[0] == before, "the queue's tail is {}, not {}", previous[0], before);
        Check.that(seen.cardinality() == queued, "{} blocks queued, {} counted", seen.cardinality(), queued);
        int stillReadable = 0;
        for (int block = 1; block < refs.length; block++) {
            Check.that(seen.get(block) == (refs[block] == 0), "block {} is lost with {} refs", block, refs[block]);
            Check.that(!readable.get(block) || refs[block] == 0, "block {} is readable and held", block);
            stillReadable += readable.get(block) ? 1 : 0;
        }
        Check.that(refs[0] == 0, "the null block has {} references", refs[0]);
        Check.that(stillReadable == readableQueued, "{} readable, {} counted", stillReadable, readableQueued);
    }
}
