package org.hotrow.allocator;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.IntUnaryOperator;
import org.eclipse.collections.api.list.primitive.IntList;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.list.primitive.IntInterval;

/**
 * Decisions for one step, which {@link Allocator#commit} carries out. Blocks that are held are named; blocks that are
 * taken are only counted, since the pool is known to have them.
 */
public final class StepPlan implements PlanResult {
    /**
     * One request's part.
     *
     * @param join what a new request finds in the prefix cache; empty for a seated one
     * @param first position of its first new row
     * @param tokens known tokens that it computes
     * @param drafts guessed tokens after them
     * @param takesHot whether it takes a hot region
     * @param claim what the request counts with from now on
     * @param staging blocks beside the hot region
     */
    record Part(
            KvRequest request,
            Optional<Join> join,
            int first,
            int tokens,
            int drafts,
            int newPages,
            int newIndexBlocks,
            boolean takesHot,
            Claim claim,
            int staging) {
        Part withStaging(int blocks) {
            return new Part(request, join, first, tokens, drafts, newPages, newIndexBlocks, takesHot, claim, blocks);
        }

        /** Pages whose rows no later step writes again. */
        int sealedPages() {
            return (first + tokens) / Block.TOKENS;
        }
    }

    /**
     * A prefix hit of a new request, what of it is on the device, and the import behind it.
     *
     * @param hostPages the published pages
     * @param resident whether all of them are to be on the device, else only the last one
     * @param rowBlocks per page: the block that holds its rows, or 0
     * @param sharedIndex per index block: the full block to share, or 0 if the request gets a block of its own
     * @param keyBlocks per page: the index block to copy its keys from, or 0 if they are shared or come from the host
     * @param landing where an import goes that continues the hit
     */
    record Join(
            IntList hostPages,
            boolean resident,
            IntList rowBlocks,
            IntList sharedIndex,
            IntList keyBlocks,
            Landing landing) {
        /**
         * What a new request finds.
         *
         * @param claim what it counts with
         * @param generous whether a prefix whose rows are all on the device is kept there, an import lands there, and
         *     index keys are copied from blocks that have to be held for it
         */
        static Join of(KvRequest request, Claim claim, KvState state, AllocatorConfig config, boolean generous) {
            PrefixCache cache = state.cache;
            IntList hostPages = hit(request, cache, config.drafting());
            IntList rowBlocks = map(hostPages, cache::rowBlock);
            int hit = hostPages.size();
            Landing landing = Landing.of(request, hit, claim, config, generous);
            int firstLost = rowBlocks.indexOf(0);
            boolean onDevice = firstLost < 0 || firstLost == hit - 1;
            boolean resident = !landing.onHost()
                    && (landing.whole() > hit
                            || config.policy().returnsRows()
                            || !KvGeometry.needsLess(request.known(), config.hotRows())
                            || (generous && onDevice));
            int perBlock = config.geometry().pagesPerIndexBlock();
            IntArrayList shared = new IntArrayList();
            IntArrayList keys = new IntArrayList();
            for (int from = 0; from < hostPages.size(); from += perBlock) {
                int block = cache.fullIndexBlock(hostPages, from, perBlock);
                shared.add(block);
                for (int page = from; page < Math.min(from + perBlock, hostPages.size()); page++) {
                    int source = cache.indexBlock(hostPages.get(page));
                    keys.add(block == 0 && (generous || state.pool.refs(source) > 0) ? source : 0);
                }
            }
            return new Join(hostPages, resident, rowBlocks, shared, keys, landing);
        }

        private static IntList hit(KvRequest request, PrefixCache cache, boolean drafting) {
            IntArrayList pages = cache.find(request, request.known() / Block.TOKENS);
            // At least the last known token is computed, for its logits.
            int most = Math.min((request.known() - 1) / Block.TOKENS, drafting ? pages.size() - 1 : pages.size());
            while (pages.size() > Math.max(0, most)) {
                pages.removeAtIndex(pages.size() - 1);
            }
            return pages;
        }

        private static IntList map(IntList pages, IntUnaryOperator block) {
            IntArrayList blocks = new IntArrayList();
            pages.forEach(page -> blocks.add(block.applyAsInt(page)));
            return blocks;
        }

        /** Pages of the hit. */
        int pages() {
            return hostPages.size();
        }

        int indexBlocks() {
            return sharedIndex.size();
        }

        /** The first page that has to be on the device. */
        int firstResident() {
            return resident ? 0 : Math.max(0, landing.whole() - 1);
        }
    }

    /** Pages of a request to copy to the host. */
    record Copies(KvRequest request, IntList pages) {
        /** At most {@code budget} of the first {@code sealed} pages of a seated request that have no copy. */
        static Copies of(Residency residency, int sealed, int budget) {
            IntArrayList pages = new IntArrayList();
            BitSet failed = residency.failed;
            for (int page = failed.nextSetBit(0);
                    page >= 0 && pages.size() < budget;
                    page = failed.nextSetBit(page + 1)) {
                pages.add(page);
            }
            for (int page = residency.nextCopy; page < sealed && pages.size() < budget; page++) {
                pages.add(page);
            }
            return new Copies(residency.request, pages);
        }

        /** At most {@code budget} of the pages from {@code first} to before {@code sealed} of a new request. */
        static Copies of(KvRequest request, int first, int sealed, int budget) {
            int end = Math.min(sealed, first + budget);
            return new Copies(request, first < end ? IntInterval.fromTo(first, end - 1) : new IntArrayList());
        }
    }

    final long version;
    final List<Part> parts;
    /** Full requests that take a hot region and let go of their pages. */
    final SequencedSet<Residency> spilling;

    final List<Copies> copies;

    StepPlan(long version, List<Part> parts, SequencedSet<Residency> spilling, List<Copies> copies) {
        this.version = version;
        this.parts = parts;
        this.spilling = spilling;
        this.copies = copies;
    }

    /** Known tokens that it computes for the i-th request that was asked for. */
    public int tokens(int i) {
        return parts.get(i).tokens();
    }

    /** Pages that it copies to the host. */
    public int copiedPages() {
        return copies.stream().mapToInt(copy -> copy.pages().size()).sum();
    }
}
