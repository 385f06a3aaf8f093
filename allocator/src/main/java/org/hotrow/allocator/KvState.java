package org.hotrow.allocator;

import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.hotrow.allocator.StepPlan.Join;

/**
 * Everything an allocator owns, and the moves that keep it consistent. Each move leaves all invariants of
 * {@link Invariants} true.
 */
final class KvState {
    private final AllocatorConfig config;
    final BlockPool pool;
    /** The host pool's pages; a readable one is published and unreferenced. */
    final RefQueue host;

    final PrefixCache cache;
    final WriteAhead writeAhead;
    /** In the order of their admission. */
    final SequencedSet<Residency> seated = new LinkedHashSet<>();
    /** Ended, with copies that will still be published. */
    final Set<Residency> draining = new HashSet<>();
    /** The sum of the claims of the seated requests. */
    private Reservation reservation = Reservation.NONE;
    /** Full requests that have more pages to let go of than a hot region takes, those with the most first. */
    final SortedSet<Residency> spillable =
            new TreeSet<>(Comparator.<Residency>comparingInt(r -> -r.offered).thenComparingInt(r -> r.seat));

    /** Seated requests whose tables changed since a step last described them. */
    final SequencedSet<Residency> changed = new LinkedHashSet<>();

    private final BitSet seats = new BitSet();
    /** By block of rows: the seated requests whose tables name it. */
    final IntObjectHashMap<Set<Residency>> readers = new IntObjectHashMap<>();
    /** By block of rows: the page that it is in all of those tables. */
    private final int[] pageOf;

    long spilledPages;
    long prefixHitPages;

    KvState(AllocatorConfig config) {
        this.config = config;
        KvGeometry geometry = config.geometry();
        pool = new BlockPool(geometry.blocks(), this::blockReused);
        cache = new PrefixCache(config.hostPages() + 1, geometry.blocks(), geometry.pagesPerIndexBlock());
        host = new RefQueue(config.hostPages() + 1, page -> cache.hostPageReused(page, pool));
        writeAhead = new WriteAhead(this, config);
        pageOf = new int[geometry.blocks()];
    }

    int copiesInFlight() {
        return writeAhead.inFlight();
    }

    Reservation reservation() {
        return reservation;
    }

    /** A seated request counts with something else from now on. */
    void claim(Residency residency, Claim claim) {
        reservation = reservation.minus(residency.claim).plus(claim);
        residency.claim = claim;
        writeAhead.review(residency);
    }

    /** Seats a new request with the tables of what it joins; entries that are still to be taken are 0. */
    void seat(KvRequest request, Join join, Claim claim) {
        int seat = seats.nextClearBit(0);
        seats.set(seat);
        Residency residency = new Residency(request, seat);
        seated.add(residency);
        request.residency = residency;
        int hit = join.pages();
        residency.length = join.landing().tokens();
        residency.durable = join.landing().copied();
        residency.nextCopy = residency.durable;
        residency.unpinned = join.firstResident();
        claim(residency, claim);
        prefixHitPages += hit;
        for (int page = 0; page < hit; page++) {
            int hostPage = join.hostPages().get(page);
            host.hold(hostPage);
            residency.append(0, 0, hostPage);
            int block = join.rowBlocks().get(page);
            if (block != 0) {
                if (page >= residency.unpinned) {
                    pool.hold(block);
                }
                setBlock(residency, page, block);
            }
        }
        join.sharedIndex().forEach(block -> {
            if (block != 0) {
                pool.hold(block);
            }
            residency.indexBlocks.add(block);
            residency.indexGenerations.add(pool.generation(block));
        });
        offer(residency);
    }

    /** Puts a block of rows into a table. */
    void setBlock(Residency residency, int page, int block) {
        residency.blocks.set(page, block);
        residency.generations.set(page, pool.generation(block));
        edit(residency, page);
        readers.getIfAbsentPut(block, () -> HashSet.newHashSet(1)).add(residency);
        pageOf[block] = page;
    }

    /** Appends the pages of an import. */
    void land(Residency residency, Landing landing) {
        for (int page = landing.hit(); page < landing.pages(); page++) {
            if (landing.toDevice(page)) {
                addPage(residency);
            } else {
                residency.append(0, 0, 0);
            }
            if (landing.toHost(page)) {
                residency.hostPages.set(page, host.take());
            }
        }
    }

    /** An entry of a page's tables changed. */
    void edit(Residency residency, int page) {
        if (page < residency.tablePages && !residency.ended) {
            residency.edited.set(page);
            changed.add(residency);
        }
    }

    /** Appends a new page. */
    void addPage(Residency residency) {
        int block = pool.take(BlockGroup.ROWS);
        residency.append(0, 0, 0);
        setBlock(residency, residency.pages() - 1, block);
    }

    /** Appends a new index block. */
    void addIndexBlock(Residency residency) {
        int block = pool.take(BlockGroup.INDEX);
        residency.indexBlocks.add(block);
        residency.indexGenerations.add(pool.generation(block));
    }

    /** Gives a request its hot region. */
    void addHot(Residency residency) {
        for (int i = 0; i < config.hotBlocks(); i++) {
            residency.hotBlocks.add(pool.take(BlockGroup.HOT));
        }
        residency.resetHot = true;
        changed.add(residency);
        offer(residency);
    }

    /** What a request could let go of may have changed. */
    private void offer(Residency residency) {
        int pages = residency.spillablePages();
        if (pages != residency.offered) {
            spillable.remove(residency);
            residency.offered = pages;
            if (pages > config.hotBlocks()) {
                spillable.add(residency);
            }
        }
    }

    /** Lets go of all pages that may leave; the first page last, so that it stays readable longest. */
    void unpin(Residency residency) {
        int limit = residency.unpinLimit();
        for (int page = limit - 1; page >= residency.unpinned; page--) {
            pool.drop(residency.blocks.get(page), true);
        }
        residency.unpinned = Math.max(residency.unpinned, limit);
    }

    /** A step of the request is computed, and {@code kept} of its rows stay. */
    void advance(Step.Part part, int kept) {
        Residency residency = part.residency();
        boolean seated = part.appendedFrom() == 0;
        if (seated) {
            // Restored pages are copies of published ones from now on, and imported ones are complete.
            for (int page = 0; page < residency.durable; page++) {
                publish(residency, page);
            }
        }
        advance(residency, part.first() + kept);
        if (seated) {
            moreMayLeave(residency);
        }
    }

    /** The request has rows up to a length now. */
    void advance(Residency residency, int length) {
        boolean sealed = length / Block.TOKENS != residency.length / Block.TOKENS;
        residency.length = length;
        if (sealed) {
            writeAhead.review(residency);
            moreMayLeave(residency);
        }
    }

    /** Pages of a seated request may leave that could not before. */
    private void moreMayLeave(Residency residency) {
        if (residency.hotBlocks.isEmpty()) {
            offer(residency);
        } else {
            unpin(residency);
        }
    }

    /** The request has no rows any more; {@code abandoned}: nor will the copies on their way be published. */
    void end(Residency residency, boolean abandoned) {
        residency.ended = true;
        residency.abandoned = abandoned;
        residency.request.residency = null;
        seated.remove(residency);
        changed.remove(residency);
        seats.clear(residency.seat);
        claim(residency, Claim.NONE);
        offer(residency);
        for (int page = residency.pages() - 1; page >= 0; page--) {
            leave(residency, page);
        }
        int perBlock = config.geometry().pagesPerIndexBlock();
        for (int slot = residency.indexBlocks.size() - 1; slot >= 0; slot--) {
            int block = residency.indexBlocks.get(slot);
            int end = Math.min(residency.pages(), (slot + 1) * perBlock);
            boolean willPublish = IntStream.range(slot * perBlock, end).anyMatch(residency::willPublish);
            pool.drop(block, willPublish || wanted(block));
        }
        residency.hotBlocks.forEach(block -> pool.drop(block, false));
        if (abandoned || residency.copying.isEmpty()) {
            dropHostPages(residency);
        } else {
            draining.add(residency);
        }
    }

    /** Whether somebody may still read the bytes of a block that no one references. */
    boolean wanted(int block) {
        return readers.containsKey(block) || cache.wants(block);
    }

    private void leave(Residency residency, int page) {
        int block = residency.blocks.get(page);
        if (block == 0) {
            return;
        }
        removeReader(residency, block);
        boolean keepsBytes = wanted(block) || residency.willPublish(page);
        if (page >= residency.unpinned) {
            pool.drop(block, keepsBytes);
        } else if (!keepsBytes) {
            pool.forget(block);
        }
    }

    /** The last copy of an ended request is through. */
    void drained(Residency residency) {
        draining.remove(residency);
        dropHostPages(residency);
    }

    private void dropHostPages(Residency residency) {
        for (int page = residency.pages() - 1; page >= 0; page--) {
            int hostPage = residency.hostPages.get(page);
            if (hostPage != 0) {
                host.drop(hostPage, cache.isPublished(hostPage));
            }
        }
    }

    /** Publishes all pages before the first one without a completed copy; they may leave. */
    void publish(Residency residency) {
        while (residency.durable < residency.pages() && residency.hostPages.get(residency.durable) != 0) {
            publish(residency, residency.durable++);
        }
        if (!residency.ended) {
            moreMayLeave(residency);
        }
    }

    /** Publishes a complete page, unless another one has its content. */
    private void publish(Residency residency, int page) {
        int hostPage = residency.hostPages.get(page);
        if (cache.publish(residency.request.hash(page), hostPage) || cache.isPublished(hostPage)) {
            link(residency, page);
        }
    }

    /** A published page is on the device too, where the request has it and nobody took the block since. */
    void link(Residency residency, int page) {
        int hostPage = residency.hostPages.get(page);
        int block = residency.blocks.get(page);
        if (block != 0 && holds(block, residency.generations.get(page))) {
            cache.linkRows(hostPage, block);
        }
        int slot = page / config.geometry().pagesPerIndexBlock();
        int index = residency.indexBlocks.get(slot);
        if (holds(index, residency.indexGenerations.get(slot))) {
            cache.linkKeys(hostPage, page, index);
        }
    }

    /** Whether a block has its bytes since a generation, and somebody hears when it loses them. */
    private boolean holds(int block, int generation) {
        return pool.generation(block) == generation
                && (pool.refs(block) > 0 || pool.queue().isReadable(block));
    }

    /** A readable block goes to a new owner: nobody may find the old bytes in it any more. */
    private void blockReused(int block, BlockGroup was) {
        cache.blockReused(block);
        Set<Residency> losers = readers.remove(block);
        if (losers != null) {
            Check.that(was == BlockGroup.ROWS, "block {} of {} has readers", block, was);
            spilledPages++;
            for (Residency loser : losers) {
                loser.blocks.set(pageOf[block], 0);
                edit(loser, pageOf[block]);
            }
        }
    }

    private void removeReader(Residency residency, int block) {
        Set<Residency> all = readers.get(block);
        all.remove(residency);
        if (all.isEmpty()) {
            readers.remove(block);
        }
    }
}
