package org.hotrow.allocator;

import java.util.List;
import java.util.Optional;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;

/**
 * A committed step: what the engine does, in this order.
 *
 * <pre>
 * index copies, row and index restores, imports     before the first layer
 * the new rows                                      in every layer
 * write-backs                                       all layers of all pages in one batch, after the last layer
 * </pre>
 *
 * The tables of its requests are read from their {@link Residency} until the step is finished.
 */
public final class Step {
    /** The rows of a host page come back to a block. */
    public record RowRestore(HostPageId from, BlockId to) {}

    /** The index keys of a host page come back to page {@code page} of an index block. */
    public record IndexRestore(HostPageId from, BlockId to, int page) {}

    /** Page {@code page} of an index block is copied to the same page of another one. */
    public record IndexCopy(BlockId from, BlockId to, int page) {}

    /**
     * A page of an import is written: its rows to the device, to the host or to both, its index keys to the index block
     * and to the host page.
     *
     * @param page number of the page in its request
     * @param tokens its tokens from the first on, 64 but in the last page
     * @param rows where its rows go on the device
     * @param to where rows and keys go on the host; then the page is whole
     */
    public record PageImport(
            KvRequest request,
            int page,
            int tokens,
            Optional<BlockId> rows,
            BlockId index,
            int indexPage,
            Optional<HostPageId> to) {}

    /**
     * A sealed page goes to the host: rows and index keys.
     *
     * @param copy names it in {@link Completion}
     * @param page number of the page in its request
     */
    public record WriteBack(long copy, int page, BlockId rows, BlockId index, int indexPage, HostPageId to) {}

    /** A page of an earlier step whose entries changed: 0 = lost, or no completed copy. */
    public record TableEdit(int page, int block, int hostPage) {}

    /**
     * One request of the step.
     *
     * @param first position of its first new row; before it are a prefix hit, an import and earlier steps
     * @param tokens known tokens that it computes
     * @param drafts guessed tokens after them
     * @param resetHot its hot map starts empty
     * @param appendedFrom first page that is new in its tables
     * @param edits older pages that changed since its last step
     * @param staging blocks that this step may gather rows into, beside the hot region
     */
    public record Part(
            KvRequest request,
            Residency residency,
            int first,
            int tokens,
            int drafts,
            boolean resetHot,
            int appendedFrom,
            List<TableEdit> edits,
            List<BlockId> staging) {
        /** The device row of the i-th new token. */
        public RowId writeRow(int i) {
            return residency.row(first + i);
        }
    }

    final List<Part> parts;
    final List<Part> others;
    final List<RowRestore> rowRestores;
    final List<IndexRestore> indexRestores;
    final List<IndexCopy> indexCopies;
    final List<PageImport> imports;
    final List<WriteBack> writeBacks;
    /** Blocks that are held until the step is finished. */
    final IntArrayList heldBlocks;

    Step(
            List<Part> parts,
            List<Part> others,
            List<RowRestore> rowRestores,
            List<IndexRestore> indexRestores,
            List<IndexCopy> indexCopies,
            List<PageImport> imports,
            List<WriteBack> writeBacks,
            IntArrayList heldBlocks) {
        this.parts = parts;
        this.others = others;
        this.rowRestores = rowRestores;
        this.indexRestores = indexRestores;
        this.indexCopies = indexCopies;
        this.imports = imports;
        this.writeBacks = writeBacks;
        this.heldBlocks = heldBlocks;
    }

    /** The requests, in the order that they were asked for. */
    public List<Part> parts() {
        return parts;
    }

    /** Requests that have seats and are not in the step, of those whose tables changed: parts without rows. */
    public List<Part> others() {
        return others;
    }

    /** Rows that come back from the host, before the first layer. */
    public List<RowRestore> rowRestores() {
        return rowRestores;
    }

    /** Index keys that come back from the host, before the first layer. */
    public List<IndexRestore> indexRestores() {
        return indexRestores;
    }

    /** Index keys that are copied on the device, before the first layer. */
    public List<IndexCopy> indexCopies() {
        return indexCopies;
    }

    /** Pages of imports that are written, before the first layer. */
    public List<PageImport> imports() {
        return imports;
    }

    /** Sealed pages that go to the host, after the last layer. */
    public List<WriteBack> writeBacks() {
        return writeBacks;
    }
}
