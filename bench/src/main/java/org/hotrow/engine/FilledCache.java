package org.hotrow.engine;

import java.util.List;
import java.util.SplittableRandom;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.BlockPool;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;

/** One layer of the production cache of GLM-5.3, full of random rows and index keys, and a step of its last token. */
final class FilledCache implements AutoCloseable {
    /** Different rows and keys: encoding is slow, and no operation's speed depends on the values. */
    private static final int VARIETY = 64;

    final RowFormat rows = RowFormat.of(KvDtype.FP8, Glm53.ATTENTION.latentRank(), Glm53.ATTENTION.ropeDim());
    final IndexFormat keys = IndexFormat.of(KvDtype.FP8, Glm53.INDEXER.headDim());
    final StepArrays step;
    final KvSlabs slabs;
    private final Sequence sequence;

    FilledCache(int tokens, SplittableRandom random) {
        int pages = Math.ceilDiv(tokens, Block.TOKENS);
        // Tokens of an index block don't depend on the size of the pool while one slab takes it.
        int indexBlocks = Math.ceilDiv(tokens, geometry(1 + pages).indexTokensPerBlock());
        KvGeometry geometry = geometry(1 + pages + indexBlocks);
        slabs = new KvSlabs(geometry);
        sequence = new Sequence(new BlockPool(1 + pages + indexBlocks), geometry);
        if (!sequence.extend(tokens)) {
            throw new IllegalStateException("a pool of " + (1 + pages + indexBlocks) + " blocks is too small");
        }
        step = new StepArrays(1, 1, 1, pages, indexBlocks);
        int last = tokens - 1;
        step.addRow(step.seat(sequence), 0, last, sequence.row(last), false);
        fill(tokens, random);
    }

    private KvGeometry geometry(int blocks) {
        return KvGeometry.of(1, List.of(0), rows.rowBytes(), keys.pageBytes(), blocks);
    }

    private void fill(int tokens, SplittableRandom random) {
        int rowWidth = Glm53.ATTENTION.latentRank() + Glm53.ATTENTION.ropeDim();
        int keyWidth = Glm53.INDEXER.headDim();
        float[] values = RandomValues.gaussian(VARIETY * rowWidth, random);
        for (int position = 0; position < tokens; position++) {
            int value = position % VARIETY;
            rows.write(values, value * rowWidth, slabs.of(0), slabs.geometry().rowOffset(0, row(position)));
            long page =
                    slabs.geometry().indexPageOffset(0, sequence.indexBlock(position), sequence.indexPage(position));
            keys.write(values, value * keyWidth, slabs.of(0), page, position % Block.TOKENS);
        }
    }

    /** The row id of {@code position}. */
    int row(int position) {
        return sequence.row(position);
    }

    @Override
    public void close() {
        slabs.close();
    }
}
