package org.hotrow.allocator;

import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.eclipse.collections.impl.map.mutable.primitive.IntObjectHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Verifies the whole state of an allocator against what its parts say about each other.
 *
 * <ul>
 *   <li>Conservation: every block and host page is queued or has just the references that tables, copies on their way
 *       and the open step account for; a block of rows that may still be written has one owner.
 *   <li>Tiers: a page without a reference is on the host, and so are all before it; the page of the next token and the
 *       one before it are referenced; only requests with a hot region let pages go; a table names a block only while
 *       the block holds the page.
 *   <li>Publication: only complete pages whose predecessors are complete have a hash.
 * </ul>
 */
final class Invariants {
    private final KvState state;
    private final AllocatorConfig config;
    private final @Nullable Step open;
    private final int[] blockRefs;
    private final int[] hostRefs;
    private final IntObjectHashMap<Set<Residency>> readers = new IntObjectHashMap<>();

    Invariants(KvState state, AllocatorConfig config, @Nullable Step open) {
        this.state = state;
        this.config = config;
        this.open = open;
        blockRefs = new int[config.geometry().blocks()];
        hostRefs = new int[config.hostPages() + 1];
    }

    void check() {
        state.pool.check();
        state.host.check();
        state.cache.check();
        Set<Integer> seats = new HashSet<>();
        for (Residency residency : state.seated) {
            Check.that(seats.add(residency.seat) && residency.seat < config.seats(), "seat {}", residency.seat);
            checkPointers(residency);
            checkTables(residency);
            checkClaim(residency);
        }
        checkTotals();
        for (Residency residency : state.draining) {
            Check.that(residency.ended && !residency.abandoned, "a draining request is not over");
            Check.that(!residency.copying.isEmpty(), "a drained request still has its host pages");
            countHostPages(residency);
        }
        countCopies();
        if (open != null) {
            open.heldBlocks.forEach(block -> blockRefs[block]++);
        }
        for (int block = 1; block < blockRefs.length; block++) {
            int refs = state.pool.refs(block);
            Check.that(
                    refs > 0 || state.pool.queue().isReadable(block) || !state.cache.wants(block),
                    "blank block {} is found",
                    block);
            Check.that(refs == blockRefs[block], "block {}: {} references, {} used", block, refs, blockRefs[block]);
        }
        for (int page = 1; page < hostRefs.length; page++) {
            int refs = state.host.refs(page);
            Check.that(refs == hostRefs[page], "host page {}: {} references, {} used", page, refs, hostRefs[page]);
            Check.that(
                    state.host.isReadable(page) == (refs == 0 && state.cache.isPublished(page)),
                    "host page {} with {} references is published: {}",
                    page,
                    refs,
                    state.cache.isPublished(page));
        }
        checkReaders();
        checkOwners();
    }

    private void checkPointers(Residency r) {
        Check.that(r.request.residency == r && !r.ended, "seat {}: not its request's residency", r.seat);
        Check.that(
                0 <= r.unpinned && r.unpinned <= r.durable && r.durable <= r.pages(),
                "seat {}: {} unpinned, {} durable of {} pages",
                r.seat,
                r.unpinned,
                r.durable,
                r.pages());
        Check.that(r.length <= r.pages() * Block.TOKENS, "seat {}: {} tokens, {} pages", r.seat, r.length, r.pages());
        Check.that(r.unpinned <= Math.max(0, r.length / Block.TOKENS - 1), "seat {}: last pages are unpinned", r.seat);
        Check.that(r.unpinned == 0 || !r.hotBlocks.isEmpty(), "seat {}: no hot region", r.seat);
        Check.that(r.tablePages <= r.pages(), "seat {}: the tables shrank", r.seat);
        Check.that(r.edited.isEmpty() || state.changed.contains(r), "seat {}: a change that nobody hears of", r.seat);
    }

    private void checkTables(Residency r) {
        for (int page = 0; page < r.pages(); page++) {
            int block = r.blocks.get(page);
            if (page >= r.unpinned) {
                Check.that(block != 0, "seat {}: page {} is nowhere", r.seat, page);
                blockRefs[block]++;
            }
            if (block != 0) {
                Check.that(state.pool.group(block) == BlockGroup.ROWS, "block {} holds no rows", block);
                Check.that(
                        state.pool.generation(block) == r.generations.get(page),
                        "seat {}: page {} was overwritten in block {}",
                        r.seat,
                        page,
                        block);
                readers.getIfAbsentPut(block, HashSet::new).add(r);
            }
            int hostPage = r.hostPages.get(page);
            Check.that(page >= r.durable || hostPage != 0, "seat {}: page {} is not durable", r.seat, page);
            Check.that(hostPage == 0 || !r.copying.get(page), "seat {}: page {} is copied twice", r.seat, page);
            Check.that(
                    hostPage == 0 || (page + 1) * Block.TOKENS <= r.length || open != null,
                    "seat {}: page {} was copied before it was sealed",
                    r.seat,
                    page);
        }
        int perBlock = config.geometry().indexTokensPerBlock();
        Check.that(r.length <= (long) r.indexBlocks() * perBlock, "seat {}: no index blocks", r.seat);
        r.indexBlocks.forEach(block -> use(block, BlockGroup.INDEX));
        r.hotBlocks.forEach(block -> use(block, BlockGroup.HOT));
        Check.that(r.hotBlocks.isEmpty() || r.hotBlocks() == config.hotBlocks(), "seat {}: hot region", r.seat);
        countHostPages(r);
    }

    private void checkClaim(Residency r) {
        int copied = 0;
        for (int page = 0; page < r.pages(); page++) {
            boolean hasCopy = r.hostPages.get(page) != 0 || r.copying.get(page);
            copied += hasCopy ? 1 : 0;
            Check.that(hasCopy == (page < r.nextCopy && !r.failed.get(page)), "seat {}: copy of page {}", r.seat, page);
        }
        Claim claim = r.claim;
        Check.that(
                claim.hostPages() - claim.owedHostPages() == copied && claim.owedHostPages() >= 0,
                "seat {}: {} pages have copies, {}",
                r.seat,
                copied,
                claim);
        KvGeometry geometry = config.geometry();
        int tokens = Math.min(r.length, r.request.known());
        int least = claim.onHost()
                ? geometry.steadyBlocks(claim.hostPages() * Block.TOKENS, config.hotRows())
                : geometry.indexBlocks(tokens) + Block.pages(tokens);
        Check.that(claim.blocks() >= least, "seat {}: {} for {} blocks", r.seat, claim, least);
    }

    /** What is kept up to date step by step is what there is. */
    private void checkTotals() {
        Reservation sum =
                state.seated.stream().map(r -> r.claim).reduce(Reservation.NONE, Reservation::plus, (a, b) -> a);
        Check.that(sum.equals(state.reservation()), "{}, but the claims are {}", state.reservation(), sum);
        List<Residency> spillable = state.seated.stream()
                .filter(r -> r.hotBlocks.isEmpty() && r.unpinLimit() > config.hotBlocks())
                .sorted(Comparator.comparingInt(Residency::unpinLimit)
                        .reversed()
                        .thenComparingInt(r -> r.seat))
                .toList();
        Check.that(spillable.equals(List.copyOf(state.spillable)), "requests that can let pages go");
        for (boolean onHost : new boolean[] {true, false}) {
            Set<Residency> behind = state.seated.stream()
                    .filter(r -> config.policy().usesHost() && r.isBehind() && r.claim.onHost() == onHost)
                    .collect(Collectors.toSet());
            Check.that(behind.equals(state.writeAhead.behind(onHost)), "requests that are behind with their copies");
        }
    }

    private void use(int block, BlockGroup group) {
        Check.that(block != 0 && state.pool.group(block) == group, "block {} is not of group {}", block, group);
        blockRefs[block]++;
    }

    private void countHostPages(Residency residency) {
        residency.hostPages.forEach(page -> hostRefs[page] += page == 0 ? 0 : 1);
    }

    private void countCopies() {
        state.writeAhead.pending.forEachValue(copy -> {
            hostRefs[copy.hostPage]++;
            Check.that(!state.cache.isPublished(copy.hostPage), "host page {} is published early", copy.hostPage);
            Check.that(copy.residency.copying.get(copy.page), "page {} is not being copied", copy.page);
            if (!copy.enqueued) {
                blockRefs[copy.rows]++;
                blockRefs[copy.index]++;
            }
        });
    }

    private void checkReaders() {
        Check.that(state.readers.size() == readers.size(), "blocks with readers: {}", state.readers.keySet());
        state.readers.forEachKeyValue((block, all) -> Check.that(
                new HashSet<>(all).equals(readers.get(block))
                        && all.size() == readers.get(block).size(),
                "readers of block {}",
                block));
        readers.forEachKey(block -> Check.that(
                state.pool.refs(block) > 0 || state.pool.queue().isReadable(block), "block {} was forgotten", block));
    }

    /** Pages and index blocks that may still be written belong to one request. */
    private void checkOwners() {
        for (Residency r : state.seated) {
            for (int page = r.length / Block.TOKENS; page < r.pages(); page++) {
                Set<Residency> owners = state.readers.get(r.blocks.get(page));
                Check.that(owners.size() == 1, "page {} of seat {} has {} writers", page, r.seat, owners.size());
            }
            int firstOpen = r.length / config.geometry().indexTokensPerBlock();
            for (Residency other : state.seated) {
                for (int slot = firstOpen; slot < r.indexBlocks() && other != r; slot++) {
                    Check.that(
                            !other.indexBlocks.contains(r.indexBlocks.get(slot)),
                            "index block {} of seat {} is open and shared",
                            slot,
                            r.seat);
                }
            }
        }
    }
}
