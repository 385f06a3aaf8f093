package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All weights of a model, found and checked by name, shape and type; nothing is read yet.
 *
 * <pre>
 *   model.embed_tokens.weight          embedding [vocab, hidden]
 *   model.layers.0 .. layers-1         layers
 *   model.layers.layers ..             mtp
 *   model.norm.weight                  norm
 *   lm_head.weight                     head [vocab, hidden]
 * </pre>
 *
 * @param head the embedding itself if the model ties them
 * @param norm RMS norm before the head
 * @param mtp as many as the config says, or none where the checkpoint leaves them out
 */
public record ModelWeights(
        MatrixTensor embedding, MatrixTensor head, VectorTensor norm, List<LayerWeights> layers, List<MtpWeights> mtp) {
    private static final String HEAD = "lm_head.weight";
    private static final int NAMES_SHOWN = 3;

    public ModelWeights {
        layers = List.copyOf(layers);
        mtp = List.copyOf(mtp);
    }

    /** Bytes in the checkpoint of all that the main model needs, so without {@link #mtp}. */
    public long bytes() {
        long headBytes = head.equals(embedding) ? 0 : head.bytes();
        long layerBytes = layers.stream().mapToLong(LayerWeights::bytes).sum();
        return embedding.bytes() + headBytes + norm.bytes() + layerBytes;
    }

    /**
     * Bytes of what is needed.
     *
     * @param drafting whether the first of {@link #mtp} is
     */
    public long bytes(boolean drafting) {
        return bytes() + (drafting ? mtp.getFirst().bytes() : 0);
    }

    /**
     * Finds the tensors that {@code config} describes.
     *
     * @throws ModelFormatException naming the tensor, if one is missing, has another shape or type than the config
     *     says, or is none that the config describes
     */
    public static ModelWeights map(ModelConfig config, TensorSource source) {
        TensorClaims claims = new TensorClaims(source);
        MatrixTensor embedding = claims.matrix("model.embed_tokens.weight", Dim.vocab(config), Dim.hidden(config));
        boolean headLeftOut = config.tiedEmbeddings() && !claims.has(HEAD);
        List<LayerWeights> layers = new ArrayList<>();
        for (int i = 0; i < config.layers(); i++) {
            layers.add(LayerWeights.map(
                    claims,
                    prefix(i),
                    config,
                    config.indexer().types().get(i),
                    config.mlp().types().get(i)));
        }
        var weights = new ModelWeights(
                embedding,
                headLeftOut ? embedding : claims.matrix(HEAD, Dim.vocab(config), Dim.hidden(config)),
                claims.vector("model.norm.weight", Dim.hidden(config)),
                layers,
                mapMtp(claims, config));
        refuseLeftovers(config, source, claims.leftovers());
        return weights;
    }

    private static String prefix(int layer) {
        return "model.layers." + layer + ".";
    }

    private static List<MtpWeights> mapMtp(TensorClaims claims, ModelConfig config) {
        List<String> prefixes = Stream.iterate(config.layers(), layer -> layer + 1)
                .limit(config.mtpLayers())
                .map(ModelWeights::prefix)
                .toList();
        if (prefixes.stream().noneMatch(claims::hasBelow)) {
            return List.of();
        }
        return prefixes.stream()
                .map(prefix -> MtpWeights.map(claims, prefix, config))
                .toList();
    }

    private static void refuseLeftovers(ModelConfig config, TensorSource source, NavigableSet<String> leftovers) {
        if (leftovers.isEmpty()) {
            return;
        }
        for (int i = 0; i < config.layers(); i++) {
            String indexer = prefix(i) + "self_attn.indexer.";
            String found = leftovers.ceiling(indexer);
            if (config.indexer().types().get(i) == IndexerType.SHARED && found != null && found.startsWith(indexer)) {
                throw new ModelFormatException(
                        source.file(),
                        found,
                        "contradicts config.json, whose indexer_types (or the fields in their place) say that layer "
                                + i + " shares the selection of layer "
                                + config.indexer().anchor(i) + " and has no indexer");
            }
        }
        String names = leftovers.stream()
                .limit(NAMES_SHOWN)
                .map(ModelFormatException::quote)
                .collect(Collectors.joining(", "));
        throw new ModelFormatException(
                source.file(),
                "",
                "holds " + leftovers.size() + " tensors that config.json does not describe, with num_hidden_layers "
                        + config.layers() + ", num_nextn_predict_layers " + config.mtpLayers()
                        + " and n_routed_experts " + config.mlp().experts() + ": " + names
                        + (leftovers.size() > NAMES_SHOWN ? ", ..." : ""));
    }
}
