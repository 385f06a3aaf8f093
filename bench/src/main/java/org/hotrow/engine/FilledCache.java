package org.hotrow.engine;

import java.util.List;
import java.util.SplittableRandom;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.StepPlan;
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

    FilledCache(int tokens, SplittableRandom random) {
        int pages = Math.ceilDiv(tokens, Block.TOKENS);
        // Tokens of an index block don't depend on the size of the pool while one slab takes it.
        int indexBlocks = Math.ceilDiv(tokens, geometry(1 + pages).indexTokensPerBlock());
        KvGeometry geometry = geometry(1 + pages + indexBlocks);
        slabs = new KvSlabs(geometry);
        int topK = Glm53.INDEXER.topK();
        Allocator allocator = new Allocator(new AllocatorConfig(geometry, KvPolicy.RESIDENT, topK, topK, 0, 1, 1, 0));
        KvRequest request = allocator.open(new int[tokens], tokens);
        StepPlan plan = (StepPlan) allocator.plan(List.of(new Ask(request, tokens, 0)));
        step = new StepArrays(1, 1, 1, pages, indexBlocks, 1);
        step.fillTables(allocator.commit(plan).parts().getFirst());
        step.addRow(0, 0, tokens - 1, false);
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
            long page = step.indexPageOffset(slabs.geometry(), 0, 0, position);
            keys.write(values, value * keyWidth, slabs.of(0), page, position % Block.TOKENS);
        }
    }

    /** The row id of {@code position}. */
    int row(int position) {
        return step.row(0, position);
    }

    @Override
    public void close() {
        slabs.close();
    }
}
