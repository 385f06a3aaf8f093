package org.hotrow.engine;

import java.util.Objects;
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
import org.hotrow.modelloader.MtpWeights;
import org.jspecify.annotations.Nullable;

/**
 * The one walk of the model, for every device: which operation follows which.
 *
 * <pre>
 * h = embed(token)
 * for each layer:  h += attention(norm(h));  h += mlp(norm(h))
 * f = norm(h);  logits = head . f
 *
 * attention:  query    = qB . norm(qA . x)                 rope on the last dimensions of each head
 *             row      = [norm(latent) | rope(k)] of kvA . x      written to the cache first
 *             at an anchor layer:  index key written, positions selected, positions resolved to row ids
 *             out      = output . expand(attend(absorb(query), rows))
 * </pre>
 *
 * A drafter, if there is one, goes on from there: the MTP layer, with the main embedding and head, is walked over
 * {@code h = ehProj [norm(embed(next token)) | norm(f)]} at the same positions, and f becomes {@code headNorm(h)}. So the
 * next pass, one position later with the token that was guessed, goes on from the last.
 *
 * <p>Layers that are no anchor attend over the rows of the nearest anchor before them. Attention and index scores read the
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
    private final @Nullable Drafter drafter;

    /**
     * What drafting takes beside the buffers of the main layers.
     *
     * @param features f of all rows: of the main layers, then of the drafter's passes
     * @param selections of the first pass, if later ones reuse them
     */
    private record Drafter(
            MtpWeights weights,
            Activation embedded,
            Activation both,
            Activation features,
            @Nullable IntRows selections) {}

    /** A walk whose buffers live on the device of {@code ops}. */
    public ModelWalk(ModelConfig config, ModelWeights weights, Ops ops) {
        this(config, weights, ops, false, WalkProbe.NONE);
    }

    /** @param drafting whether the MTP layer drafts, which the checkpoint must have */
    ModelWalk(ModelConfig config, ModelWeights weights, Ops ops, boolean drafting, WalkProbe probe) {
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
        drafter = drafting
                ? new Drafter(
                        weights.mtp().getFirst(),
                        ops.activation(config.hiddenSize()),
                        ops.activation(2 * config.hiddenSize()),
                        ops.features(),
                        indexer.shareForMtp() ? ops.selections() : null)
                : null;
    }

    /** Takes all rows of the step through all layers. */
    public void step() {
        ops.angles();
        ops.embed(weights.embedding(), hidden);
        ops.rmsNorm(hidden, weights.layers().getFirst().inputNorm(), x);
        for (int layer = 0; layer < config.layers(); layer++) {
            layer(layer, weights.layers().get(layer), false);
            if (layer + 1 < config.layers()) {
                ops.addNorm(update, hidden, weights.layers().get(layer + 1).inputNorm(), x);
            } else {
                ops.add(update, hidden);
            }
            probe.hidden(layer, hidden);
        }
        ops.logits(hidden, weights.norm(), weights.head(), finalNorm, logits);
        if (drafter != null) {
            ops.rmsNorm(hidden, weights.norm(), x);
            ops.keep(x, drafter.features);
        }
    }

    /**
     * Takes the rows of a pass of the drafter through the MTP layer: each has the token behind its position, and goes on
     * from a row of the step or pass before.
     *
     * @param first whether the pass goes on from the main layers; later ones of a round may reuse its selection
     */
    void draft(boolean first) {
        Drafter d = Objects.requireNonNull(drafter);
        ops.angles();
        ops.embed(weights.embedding(), d.embedded);
        ops.rmsNorm(d.embedded, d.weights.eNorm(), d.embedded);
        ops.take(d.features, x);
        ops.rmsNorm(x, d.weights.hNorm(), x);
        ops.join(d.embedded, x, d.both);
        ops.linear(d.weights.ehProj(), d.both, hidden);
        ops.rmsNorm(hidden, d.weights.layer().inputNorm(), x);
        if (d.selections == null) {
            layer(config.layers(), d.weights.layer(), false);
        } else if (first) {
            layer(config.layers(), d.weights.layer(), false);
            ops.keep(positions, d.selections);
        } else {
            ops.take(d.selections, positions);
            layer(config.layers(), d.weights.layer(), true);
        }
        ops.add(update, hidden);
        probe.hidden(config.layers(), hidden);
        ops.rmsNorm(hidden, d.weights.headNorm(), x);
        ops.keep(x, d.features);
        probe.drafted(x);
        ops.logits(hidden, d.weights.headNorm(), weights.head(), finalNorm, logits);
    }

    /** From the normed residual stream in {@code x} to what the MLP adds to it, in {@code update}. */
    private void layer(int layer, LayerWeights w, boolean reuse) {
        attention(layer, w, reuse);
        probe.attention(layer, update);
        ops.addNorm(update, hidden, w.postAttentionNorm(), x);
        switch (w.mlp()) {
            case DenseMlp dense -> dense(dense, gate, up, update);
            case MoeMlp moe -> moe(layer, moe);
        }
    }

    /** Logits of the rows in {@code logitRow}: {@code [logit rows, vocab]}. */
    public Activation logits() {
        return logits;
    }

    /** The final norm's output for the rows in {@code logitRow}: {@code [logit rows, hidden]}. */
    Activation finalNorm() {
        return finalNorm;
    }

    private void attention(int layer, LayerWeights layerWeights, boolean reuse) {
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
            select(layer, indexer, reuse);
        }
        ops.absorb(w.kvB(), query, absorbed);
        ops.attend(layer, absorbed, rows, attended);
        ops.expand(w.kvB(), attended, values);
        ops.linear(w.output(), values, update);
    }

    /** @param reuse resolves the positions that there are, instead of selecting */
    private void select(int layer, IndexerWeights w, boolean reuse) {
        IndexerConfig c = config.indexer();
        ops.linear(w.k(), x, indexKey);
        ops.layerNorm(indexKey, w.kNormWeight(), w.kNormBias(), indexKey);
        ops.rope(indexKey, 1, 0, c.ropeInterleaved());
        probe.indexKey(layer, indexKey);
        ops.writeIndexKey(layer, indexKey);

        if (reuse) {
            ops.resolve(layer, positions, rows);
            return;
        }
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
