package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.Import;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.ModelConfig;

/** A finished prefill of random rows and keys, to decode after it without computing it: {@value #VARIETY} pages in turn. */
public final class RandomPrefill implements Import {
    private static final int VARIETY = 7;

    private final int tokens;
    private final IndexFormat keyFormat;
    private final MemorySegment[] rows = new MemorySegment[VARIETY];
    private final MemorySegment[] keys = new MemorySegment[VARIETY];

    /** @param tokens from the first one on */
    public RandomPrefill(ModelConfig config, CacheFormat format, int tokens, SplittableRandom random) {
        this.tokens = tokens;
        keyFormat = format.keyFormat(config);
        RowFormat rowFormat = format.rowFormat(config);
        int rowWidth = config.attention().latentRank() + config.attention().ropeDim();
        int keyWidth = config.indexer().headDim();
        for (int page = 0; page < VARIETY; page++) {
            rows[page] = MemorySegment.ofArray(new byte[Block.TOKENS * rowFormat.rowBytes()]);
            keys[page] = MemorySegment.ofArray(new byte[keyFormat.pageBytes()]);
            for (int token = 0; token < Block.TOKENS; token++) {
                float[] row = RandomValues.gaussian(rowWidth, random);
                rowFormat.write(row, 0, rows[page], (long) token * rowFormat.rowBytes());
                keyFormat.write(RandomValues.gaussian(keyWidth, random), 0, keys[page], 0, token);
            }
        }
    }

    @Override
    public int tokens() {
        return tokens;
    }

    @Override
    public void readRows(int layer, int page, MemorySegment target) {
        target.copyFrom(rows[(page + 3 * layer) % VARIETY].asSlice(0, target.byteSize()));
    }

    @Override
    public void readKeys(int anchorLayer, int page, int count, MemorySegment target) {
        keyFormat.copy(keys[(page + 3 * anchorLayer) % VARIETY], target, count);
    }
}
