package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.SplittableRandom;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.Import;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.ModelConfig;

/**
 * A finished prefill of random rows and keys, to decode after it without computing it. Rows come in {@value #VARIETY} pages
 * in turn; each key begins somewhere in a list of {@value #VALUES} random numbers, so that no two score alike.
 */
public final class RandomPrefill implements Import {
    private static final int VARIETY = 7;
    private static final int VALUES = 1 << 20;
    /** Coprime to the number of values. */
    private static final int STRIDE = 127 * 8191;

    private final int tokens;
    private final IndexFormat keyFormat;
    private final MemorySegment[] rows = new MemorySegment[VARIETY];
    private final int keyWidth;
    private final float[] values;
    private final int seed;

    /** @param tokens from the first one on */
    public RandomPrefill(ModelConfig config, CacheFormat format, int tokens, SplittableRandom random) {
        this.tokens = tokens;
        keyFormat = format.keyFormat(config);
        RowFormat rowFormat = format.rowFormat(config);
        int rowWidth = config.attention().latentRank() + config.attention().ropeDim();
        keyWidth = config.indexer().headDim();
        values = RandomValues.gaussian(VALUES + keyWidth, random);
        seed = random.nextInt(VALUES);
        for (int page = 0; page < VARIETY; page++) {
            rows[page] = MemorySegment.ofArray(new byte[Block.TOKENS * rowFormat.rowBytes()]);
            for (int token = 0; token < Block.TOKENS; token++) {
                float[] row = RandomValues.gaussian(rowWidth, random);
                rowFormat.write(row, 0, rows[page], (long) token * rowFormat.rowBytes());
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
        for (int token = 0; token < count; token++) {
            long key = (long) anchorLayer * tokens + (long) page * Block.TOKENS + token;
            int at = (int) ((seed + key * STRIDE) % VALUES);
            keyFormat.write(values, at, target, 0, token);
        }
    }
}
