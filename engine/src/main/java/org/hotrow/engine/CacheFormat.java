package org.hotrow.engine;

import java.util.Locale;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.ModelConfig;

/**
 * Number formats of a cache: {@code --kv-dtype} of the rows, {@code --index-dtype} of the indexer's keys. Both are
 * rounded when they are written; everything is computed in f32 from what was stored.
 *
 * <pre>
 *        a row of 512 + 64          an index key of 128
 * fp8    656 bytes  (default)       132 bytes
 * bf16   1,152                      256
 * fp32   2,304  (the reference)     512
 * </pre>
 *
 * <p>An fp8 index key is stored as it is after LayerNorm and rotary embedding, with one power-of-two scale. It is not
 * turned by a Hadamard transform, and the query that it meets is not rounded. Serving engines differ in the first and
 * round the query too, because their tensor cores multiply FP8 by FP8; f32 arithmetic gains nothing from either. On the
 * tiny GLM checkpoint an fp8 cache leaves logits 0.19 (RMS) from the f32 ones; with rounded queries it is 0.26, with
 * the transform 0.21.
 */
public record CacheFormat(KvDtype rows, KvDtype indexKeys) {
    /** One dtype for both. */
    public static CacheFormat of(KvDtype dtype) {
        return new CacheFormat(dtype, dtype);
    }

    /**
     * How a row of this model is stored.
     *
     * @throws IllegalArgumentException if the dtype has no row of this shape
     */
    public RowFormat rowFormat(ModelConfig config) {
        AttentionConfig attention = config.attention();
        return RowFormat.of(rows, attention.latentRank(), attention.ropeDim());
    }

    /** How the index keys of this model are stored. */
    public IndexFormat keyFormat(ModelConfig config) {
        return IndexFormat.of(indexKeys, config.indexer().headDim());
    }

    /** The flags that ask for this format. */
    public String flags() {
        String rowFlag = "--kv-dtype " + word(rows);
        return rows == indexKeys ? rowFlag : rowFlag + " --index-dtype " + word(indexKeys);
    }

    /** The word for a dtype on the command line. */
    static String word(KvDtype dtype) {
        return dtype.name().toLowerCase(Locale.ROOT);
    }
}
