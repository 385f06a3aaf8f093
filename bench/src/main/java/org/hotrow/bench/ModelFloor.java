package org.hotrow.bench;

import org.hotrow.engine.CacheFormat;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.AttentionWeights;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.IndexerWeights;
import org.hotrow.modelloader.LayerWeights;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.MoeMlp;

/**
 * The floor of a step of the model: n tokens after c cached ones, so that the i-th attends over c + i + 1.
 *
 * <pre>
 *                             multiply-adds of token i                        bytes of the step
 * every linear layer          rows * cols                                     the matrix, once
 * kvB (absorb and expand)     heads * (nope + value) * latent = rows * cols   the matrix, once
 * attention                   heads * (2 latent + rope) * min(c+i+1, topK)    row * min(c+n, n topK)
 * index key                   rows * cols                                     the matrix, once
 * index query, head weights   rows * cols                                (*)  the matrix, once             (*)
 * index scores                heads * dim * (c+i+1)                      (*)  key * (c+n)                  (*)
 * router, shared expert       rows * cols                                     the matrices, once
 * experts                     perToken * (gate + up + down)                   min(experts, n perToken) of them, once
 * head, per row of logits     vocab * hidden                                  the matrix, once
 *
 * (*) only where c+i+1 exceeds topK: while all positions fit in the list there is nothing to score
 * </pre>
 *
 * Matrices are in the element type of their file, scales included. Attention and experts read their most distinct rows
 * and experts, since which ones depends on the text; for a single token that is exact. Not counted, as below a hundredth
 * of the rest: what is done per element (norms, rope, activations, softmax, selection), vectors, embedding rows, writes.
 */
final class ModelFloor {
    private final ModelConfig config;
    private final ModelWeights weights;
    private final long rowBytes;
    private final long keyBytes;

    /** @param kvDtype format of the cached rows and index keys */
    ModelFloor(ModelConfig config, ModelWeights weights, KvDtype kvDtype) {
        this.config = config;
        this.weights = weights;
        CacheFormat cache = CacheFormat.of(kvDtype);
        rowBytes = cache.rowFormat(config).rowBytes();
        keyBytes = cache.keyFormat(config).pageBytes() / IndexFormat.TOKENS;
    }

    /** The floor of a prompt of {@code tokens}, in chunks of at most {@code chunk}, and the logits of its last token. */
    Floor prefill(int tokens, int chunk) {
        Floor sum = Floor.NOTHING;
        for (int at = 0; at < tokens; at += chunk) {
            sum = sum.plus(step(at, Math.min(chunk, tokens - at), 1));
        }
        return sum;
    }

    /** The floor of {@code tokens} steps of one token each, after {@code cached} ones. */
    Floor decode(int cached, int tokens) {
        Floor sum = Floor.NOTHING;
        for (int i = 0; i < tokens; i++) {
            sum = sum.plus(step(cached + i, 1, 1));
        }
        return sum;
    }

    /** The floor of one step of {@code tokens} after {@code cached} ones, with logits of {@code logitRows} of them. */
    Floor step(int cached, int tokens, int logitRows) {
        Floor sum = logitRows == 0 ? Floor.NOTHING : matrix(weights.head(), logitRows);
        for (LayerWeights layer : weights.layers()) {
            sum = sum.plus(projections(layer.attention(), tokens)).plus(attention(cached, tokens));
            IndexerWeights indexer = layer.indexer();
            if (indexer != null) {
                sum = sum.plus(indexer(indexer, cached, tokens));
            }
            sum = sum.plus(
                    switch (layer.mlp()) {
                        case DenseMlp dense -> mlp(dense, tokens);
                        case MoeMlp moe -> moe(moe, tokens);
                    });
        }
        return sum;
    }

    private static Floor matrix(MatrixTensor matrix, long tokens) {
        return new Floor(matrix.bytes(), tokens * matrix.rows() * matrix.cols());
    }

    private static Floor projections(AttentionWeights w, int tokens) {
        return matrix(w.qA(), tokens)
                .plus(matrix(w.qB(), tokens))
                .plus(matrix(w.kvA(), tokens))
                .plus(matrix(w.kvB(), tokens))
                .plus(matrix(w.output(), tokens));
    }

    private Floor attention(int cached, int tokens) {
        AttentionConfig c = config.attention();
        long topK = config.indexer().topK();
        long pairs = 0;
        for (int i = 0; i < tokens; i++) {
            pairs += Math.min(cached + i + 1, topK);
        }
        long rows = Math.min(cached + tokens, tokens * topK);
        return new Floor(rows * rowBytes, pairs * c.heads() * (2L * c.latentRank() + c.ropeDim()));
    }

    private Floor indexer(IndexerWeights w, int cached, int tokens) {
        IndexerConfig c = config.indexer();
        long scoring = 0;
        long pairs = 0;
        for (int i = 0; i < tokens; i++) {
            int positions = cached + i + 1;
            if (positions > c.topK()) {
                scoring++;
                pairs += positions;
            }
        }
        Floor key = matrix(w.k(), tokens);
        if (scoring == 0) {
            return key;
        }
        return key.plus(matrix(w.qB(), scoring))
                .plus(matrix(w.headWeights(), scoring))
                .plus(new Floor(keyBytes * (cached + tokens), pairs * c.heads() * c.headDim()));
    }

    private static Floor mlp(DenseMlp w, long tokens) {
        return matrix(w.gate(), tokens).plus(matrix(w.up(), tokens)).plus(matrix(w.down(), tokens));
    }

    private Floor moe(MoeMlp w, int tokens) {
        long chosen = (long) tokens * config.mlp().expertsPerToken();
        Floor expert = mlp(w.experts().getFirst(), 1);
        long touched = Math.min(w.experts().size(), chosen);
        Floor routed = new Floor(expert.bytes() * touched, expert.multiplyAdds() * chosen);
        DenseMlp always = w.shared();
        Floor shared = always == null ? Floor.NOTHING : mlp(always, tokens);
        return matrix(w.router(), tokens).plus(routed).plus(shared);
    }
}
