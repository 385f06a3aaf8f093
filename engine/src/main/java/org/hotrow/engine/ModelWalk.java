package org.hotrow.engine;

import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.AttentionWeights;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.IndexerWeights;
import org.hotrow.modelloader.LayerWeights;
import org.hotrow.modelloader.MlpConfig;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.MoeMlp;

/**
 * The one walk of the model, for every device: which operation follows which.
 *
 * <pre>
 * h = embed(token)
 * for each layer:  h += attention(norm(h));  h += mlp(norm(h))
 * logits = head . norm(h)
 *
 * attention:  query    = qB . norm(qA . x)                 rope on the last dimensions of each head
 *             row      = [norm(latent) | rope(k)] of kvA . x      written to the cache first
 *             at an anchor layer:  index key written, positions selected, positions resolved to row ids
 *             out      = output . expand(attend(absorb(query), rows))
 * </pre>
 *
 * Layers that are no anchor attend over the rows of the nearest anchor before them. Attention and index scores read the
 * stored rows, also those of this step.
 */
public final class ModelWalk {
    private final ModelConfig config;
    private final ModelWeights weights;
    private final Ops ops;
    private final WalkProbe probe;
    private final Activation hidden;
    private final Activation x;
    private final Activation update;
    private final Activation queryLatent;
    private final Activation query;
    private final Activation row;
    private final Activation latent;
    private final Activation absorbed;
    private final Activation attended;
    private final Activation values;
    private final Activation indexQuery;
    private final Activation indexKey;
    private final Activation indexWeights;
    private final IntRows positions;
    private final IntRows rows;
    private final Activation gate;
    private final Activation up;
    private final Activation sharedGate;
    private final Activation sharedUp;
    private final Activation shared;
    private final IntRows experts;
    private final Activation expertWeights;
    private final Activation finalNorm;
    private final Activation logits;

    /** A walk whose buffers live on the device of {@code ops}. */
    public ModelWalk(ModelConfig config, ModelWeights weights, Ops ops) {
        this(config, weights, ops, WalkProbe.NONE);
    }

    ModelWalk(ModelConfig config, ModelWeights weights, Ops ops, WalkProbe probe) {
        this.config = config;
        this.weights = weights;
        this.ops = ops;
        this.probe = probe;
        AttentionConfig attention = config.attention();
        IndexerConfig indexer = config.indexer();
        MlpConfig mlp = config.mlp();
        int heads = attention.heads();
        hidden = ops.activation(config.hiddenSize());
        x = ops.activation(config.hiddenSize());
        update = ops.activation(config.hiddenSize());
        queryLatent = ops.activation(attention.queryRank());
        query = ops.activation(heads * attention.queryDim());
        row = ops.activation(attention.latentRank() + attention.ropeDim());
        latent = row.columns(0, attention.latentRank());
        absorbed = ops.activation(heads * (attention.latentRank() + attention.ropeDim()));
        attended = ops.activation(heads * attention.latentRank());
        values = ops.activation(heads * attention.valueDim());
        indexQuery = ops.activation(indexer.heads() * indexer.headDim());
        indexKey = ops.activation(indexer.headDim());
        indexWeights = ops.activation(indexer.heads());
        positions = ops.ints(indexer.topK());
        rows = ops.ints(indexer.topK());
        int sharedWidth = mlp.expertWidth() * mlp.sharedExperts();
        gate = ops.activation(mlp.denseWidth());
        up = ops.activation(mlp.denseWidth());
        sharedGate = ops.activation(sharedWidth);
        sharedUp = ops.activation(sharedWidth);
        shared = ops.activation(config.hiddenSize());
        experts = ops.ints(mlp.expertsPerToken());
        expertWeights = ops.activation(mlp.expertsPerToken());
        finalNorm = ops.logitActivation(config.hiddenSize());
        logits = ops.logitActivation(config.vocabSize());
    }

    /** Takes all rows of the step through all layers. */
    public void step() {
        ops.angles();
        ops.embed(weights.embedding(), hidden);
        for (int layer = 0; layer < config.layers(); layer++) {
            LayerWeights w = weights.layers().get(layer);
            ops.rmsNorm(hidden, w.inputNorm(), x);
            attention(layer, w);
            probe.attention(layer, update);
            ops.add(update, hidden);
            ops.rmsNorm(hidden, w.postAttentionNorm(), x);
            switch (w.mlp()) {
                case DenseMlp dense -> dense(dense, gate, up, update);
                case MoeMlp moe -> moe(layer, moe);
            }
            ops.add(update, hidden);
            probe.hidden(layer, hidden);
        }
        ops.logits(hidden, weights.norm(), weights.head(), finalNorm, logits);
    }

    /** Logits of the rows in {@code logitRow}: {@code [logit rows, vocab]}. */
    public Activation logits() {
        return logits;
    }

    /** The final norm's output for the rows in {@code logitRow}: {@code [logit rows, hidden]}. */
    Activation finalNorm() {
        return finalNorm;
    }

    private void attention(int layer, LayerWeights layerWeights) {
        AttentionWeights w = layerWeights.attention();
        AttentionConfig c = config.attention();
        ops.linear(w.qA(), x, queryLatent);
        ops.rmsNorm(queryLatent, w.qANorm(), queryLatent);
        ops.linear(w.qB(), queryLatent, query);
        ops.rope(query, c.heads(), c.nopeDim(), c.ropeInterleaved());

        ops.linear(w.kvA(), x, row);
        ops.rmsNorm(latent, w.kvANorm(), latent);
        ops.rope(row, 1, c.latentRank(), c.ropeInterleaved());
        probe.row(layer, row);
        ops.writeRow(layer, row);

        IndexerWeights indexer = layerWeights.indexer();
        if (indexer != null) {
            select(layer, indexer);
        }
        ops.absorb(w.kvB(), query, absorbed);
        ops.attend(layer, absorbed, rows, attended);
        ops.expand(w.kvB(), attended, values);
        ops.linear(w.output(), values, update);
    }

    private void select(int layer, IndexerWeights w) {
        IndexerConfig c = config.indexer();
        ops.linear(w.k(), x, indexKey);
        ops.layerNorm(indexKey, w.kNormWeight(), w.kNormBias(), indexKey);
        ops.rope(indexKey, 1, 0, c.ropeInterleaved());
        probe.indexKey(layer, indexKey);
        ops.writeIndexKey(layer, indexKey);

        ops.linear(w.qB(), queryLatent, indexQuery);
        ops.rope(indexQuery, c.heads(), 0, c.ropeInterleaved());
        ops.linear(w.headWeights(), x, indexWeights);
        probe.indexQuery(layer, indexQuery, indexWeights);
        ops.select(layer, indexQuery, indexWeights, positions);
        probe.selection(layer, positions);
        ops.resolve(layer, positions, rows);
    }

    private void dense(DenseMlp w, Activation g, Activation u, Activation out) {
        ops.linear(w.gate(), x, g);
        ops.linear(w.up(), x, u);
        ops.swiglu(g, u, g);
        ops.linear(w.down(), g, out);
    }

    private void moe(int layer, MoeMlp w) {
        ops.route(w.router(), w.bias(), x, experts, expertWeights);
        probe.routing(layer, experts, expertWeights);
        ops.experts(w.experts(), x, experts, expertWeights, update);
        DenseMlp always = w.shared();
        if (always != null) {
            dense(always, sharedGate, sharedUp, shared);
            ops.add(shared, update);
        }
    }
}
