package org.hotrow.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Step.IndexCopy;
import org.hotrow.allocator.Step.IndexRestore;
import org.hotrow.allocator.Step.PageImport;
import org.hotrow.allocator.Step.RowRestore;
import org.hotrow.allocator.Step.TableEdit;
import org.hotrow.allocator.Step.WriteBack;
import org.hotrow.allocator.StepPlan.Copies;
import org.hotrow.allocator.StepPlan.Join;
import org.hotrow.allocator.StepPlan.Part;

/**
 * Carries out a plan: first everything is held that stays, then pages are let go, and only then blocks are taken, so
 * that no block which the step reads can be one that it takes.
 */
final class Commit {
    private final KvState state;
    private final int pagesPerIndexBlock;
    private final List<RowRestore> rowRestores = new ArrayList<>();
    private final List<IndexRestore> indexRestores = new ArrayList<>();
    private final List<IndexCopy> indexCopies = new ArrayList<>();
    private final List<PageImport> imports = new ArrayList<>();
    private final List<WriteBack> writeBacks = new ArrayList<>();
    private final IntArrayList heldBlocks = new IntArrayList();

    Commit(KvState state, KvGeometry geometry) {
        this.state = state;
        pagesPerIndexBlock = geometry.pagesPerIndexBlock();
    }

    Step run(StepPlan plan) {
        for (Part part : plan.parts) {
            part.join().ifPresentOrElse(join -> seat(part, join), () -> state.claim(residency(part), part.claim()));
        }
        plan.spilling.forEach(state::unpin);
        plan.spilling.forEach(state::addHot);
        List<List<BlockId>> staging = plan.parts.stream().map(this::take).toList();
        for (Copies copies : plan.copies) {
            Residency residency = copies.request().residency().orElseThrow();
            copies.pages().forEach(page -> writeBacks.add(state.writeAhead.start(residency, page)));
        }
        List<Step.Part> parts = new ArrayList<>(plan.parts.size());
        for (int i = 0; i < plan.parts.size(); i++) {
            Part part = plan.parts.get(i);
            parts.add(describe(residency(part), part.first(), part.tokens(), part.drafts(), staging.get(i)));
        }
        List<Step.Part> others = List.copyOf(state.changed).stream()
                .map(other -> describe(other, other.length, 0, 0, List.of()))
                .toList();
        return new Step(parts, others, rowRestores, indexRestores, indexCopies, imports, writeBacks, heldBlocks);
    }

    private void seat(Part part, Join join) {
        state.seat(part.request(), join, part.claim());
        join.keyBlocks().select(block -> block != 0).forEach(this::holdForStep);
    }

    private void holdForStep(int block) {
        state.pool.hold(block);
        heldBlocks.add(block);
    }

    /** Takes a request's blocks; the result are those of its staging area. */
    private List<BlockId> take(Part part) {
        Residency residency = residency(part);
        part.join().ifPresent(join -> {
            restore(residency, join);
            state.land(residency, join.landing());
        });
        for (int i = 0; i < part.newPages(); i++) {
            state.addPage(residency);
        }
        for (int i = 0; i < part.newIndexBlocks(); i++) {
            state.addIndexBlock(residency);
        }
        part.join().ifPresent(join -> describeImport(residency, join.landing()));
        if (part.takesHot()) {
            state.addHot(residency);
        }
        List<BlockId> staging = new ArrayList<>();
        for (int i = 0; i < part.staging(); i++) {
            int block = state.pool.take(BlockGroup.STAGING);
            heldBlocks.add(block);
            staging.add(new BlockId(block));
        }
        return staging;
    }

    private void restore(Residency residency, Join join) {
        for (int page = join.firstResident(); page < join.pages(); page++) {
            if (join.rowBlocks().get(page) == 0) {
                int block = state.pool.take(BlockGroup.ROWS);
                state.setBlock(residency, page, block);
                rowRestores.add(new RowRestore(new HostPageId(join.hostPages().get(page)), new BlockId(block)));
            }
        }
        for (int slot = 0; slot < join.indexBlocks(); slot++) {
            if (join.sharedIndex().get(slot) == 0) {
                int block = state.pool.take(BlockGroup.INDEX);
                residency.indexBlocks.set(slot, block);
                residency.indexGenerations.set(slot, state.pool.generation(block));
                fillIndexBlock(join, slot, new BlockId(block));
            }
        }
    }

    private void fillIndexBlock(Join join, int slot, BlockId block) {
        int from = slot * pagesPerIndexBlock;
        int end = Math.min(from + pagesPerIndexBlock, join.pages());
        for (int page = from; page < end; page++) {
            int source = join.keyBlocks().get(page);
            if (source == 0) {
                HostPageId hostPage = new HostPageId(join.hostPages().get(page));
                indexRestores.add(new IndexRestore(hostPage, block, page - from));
            } else {
                indexCopies.add(new IndexCopy(new BlockId(source), block, page - from));
            }
        }
    }

    private void describeImport(Residency residency, Landing landing) {
        for (int page = landing.hit(); page < landing.pages(); page++) {
            int block = residency.blocks.get(page);
            int hostPage = residency.hostPages.get(page);
            imports.add(new PageImport(
                    residency.request,
                    page,
                    Math.min(Block.TOKENS, landing.tokens() - page * Block.TOKENS),
                    block == 0 ? Optional.empty() : Optional.of(new BlockId(block)),
                    new BlockId(residency.indexBlocks.get(page / pagesPerIndexBlock)),
                    page % pagesPerIndexBlock,
                    hostPage == 0 ? Optional.empty() : Optional.of(new HostPageId(hostPage))));
        }
    }

    private Step.Part describe(Residency residency, int first, int tokens, int drafts, List<BlockId> staging) {
        List<TableEdit> edits = residency.edited.stream()
                .mapToObj(page -> new TableEdit(page, residency.blocks.get(page), residency.hostPages.get(page)))
                .toList();
        Step.Part described = new Step.Part(
                residency.request,
                residency,
                first,
                tokens,
                drafts,
                residency.resetHot,
                residency.tablePages,
                edits,
                staging);
        residency.edited.clear();
        residency.tablePages = residency.pages();
        residency.resetHot = false;
        state.changed.remove(residency);
        return described;
    }

    private static Residency residency(Part part) {
        return part.request().residency().orElseThrow();
    }
}
