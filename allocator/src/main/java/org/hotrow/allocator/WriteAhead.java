package org.hotrow.allocator;

import java.util.LinkedHashSet;
import java.util.SequencedSet;
import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;
import org.hotrow.allocator.Step.WriteBack;

/**
 * Copies of sealed pages to the host that are on their way. Each holds its source blocks until it is enqueued, so that
 * they outlive their request, and its host page until it completes or fails.
 *
 * <pre>
 * planned --enqueued--> reading --completed--> in the host table, published once all pages before it are
 *     \______________________\----failed-----> dirty again, copied again later
 * </pre>
 *
 * A copy of a request that made room is not published, whatever becomes of it.
 */
final class WriteAhead {
    /** One page on its way. */
    static final class Pending {
        final Residency residency;
        final int page;
        final int rows;
        final int index;
        final int hostPage;
        boolean enqueued;

        Pending(Residency residency, int page, int rows, int index, int hostPage) {
            this.residency = residency;
            this.page = page;
            this.rows = rows;
            this.index = index;
            this.hostPage = hostPage;
        }
    }

    private final KvState state;
    private final AllocatorConfig config;
    /** Requests that are behind with their copies and count on the host, in the order that they fell behind. */
    private final SequencedSet<Residency> behindOnHost = new LinkedHashSet<>();
    /** Those that don't count on it. */
    private final SequencedSet<Residency> behindOnDevice = new LinkedHashSet<>();

    final LongObjectHashMap<Pending> pending = new LongObjectHashMap<>();
    private long started;
    private long completed;

    WriteAhead(KvState state, AllocatorConfig config) {
        this.state = state;
        this.config = config;
    }

    int inFlight() {
        return pending.size();
    }

    /** Copies that completed, published or not. */
    long completed() {
        return completed;
    }

    /** Seated requests with sealed pages that nobody copies, those that count on the host or those that don't. */
    SequencedSet<Residency> behind(boolean onHost) {
        return onHost ? behindOnHost : behindOnDevice;
    }

    /** A request may have fallen behind, caught up, ended, or come to count otherwise. */
    void review(Residency residency) {
        boolean onHost = residency.claim.onHost();
        behind(!onHost).remove(residency);
        if (config.policy().usesHost() && residency.isBehind()) {
            behind(onHost).add(residency);
        } else {
            behind(onHost).remove(residency);
        }
    }

    /** Takes a host page for a page of a seated request. */
    WriteBack start(Residency residency, int page) {
        int pagesPerIndexBlock = config.geometry().pagesPerIndexBlock();
        int rows = residency.blocks.get(page);
        int index = residency.indexBlocks.get(page / pagesPerIndexBlock);
        int hostPage = state.host.take();
        state.pool.hold(rows);
        state.pool.hold(index);
        residency.copying.set(page);
        residency.failed.clear(page);
        residency.nextCopy = Math.max(residency.nextCopy, page + 1);
        state.claim(residency, residency.claim.copied(1));
        pending.put(++started, new Pending(residency, page, rows, index, hostPage));
        return new WriteBack(
                started,
                page,
                new BlockId(rows),
                new BlockId(index),
                page % pagesPerIndexBlock,
                new HostPageId(hostPage));
    }

    /** Takes the news of a copy; false if it is not on its way, because the news came before. */
    boolean apply(Completion news) {
        Pending copy = pending.get(news.copy());
        if (copy == null) {
            return false;
        }
        releaseSources(copy);
        if (news.kind() != Completion.Kind.ENQUEUED) {
            pending.remove(news.copy());
            copy.residency.copying.clear(copy.page);
            if (news.kind() == Completion.Kind.COMPLETED) {
                complete(copy);
            } else {
                fail(copy);
            }
            Residency residency = copy.residency;
            if (residency.ended && !residency.abandoned && residency.copying.isEmpty()) {
                state.drained(residency);
            }
        }
        return true;
    }

    private void releaseSources(Pending copy) {
        if (!copy.enqueued) {
            copy.enqueued = true;
            boolean mayBeFound = !copy.residency.abandoned;
            state.pool.drop(copy.rows, mayBeFound || state.wanted(copy.rows));
            state.pool.drop(copy.index, mayBeFound || state.wanted(copy.index));
        }
    }

    private void complete(Pending copy) {
        completed++;
        Residency residency = copy.residency;
        if (residency.abandoned) {
            state.host.drop(copy.hostPage, false);
            return;
        }
        residency.hostPages.set(copy.page, copy.hostPage);
        state.edit(residency, copy.page);
        state.publish(residency);
    }

    private void fail(Pending copy) {
        state.host.drop(copy.hostPage, false);
        Residency residency = copy.residency;
        if (!residency.ended) {
            residency.failed.set(copy.page);
            state.claim(residency, residency.claim.copied(-1));
        }
    }
}
