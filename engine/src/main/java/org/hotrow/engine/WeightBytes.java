package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.hotrow.modelloader.AttentionWeights;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.IndexerWeights;
import org.hotrow.modelloader.LayerWeights;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.MoeMlp;
import org.hotrow.modelloader.MtpWeights;
import org.hotrow.modelloader.VectorTensor;

/**
 * Bytes that the weights of a model take on a device of task graphs, by kind.
 *
 * @param ends embedding, head and the last norm
 * @param attention of all layers, with indexers and norms; of the MTP layer also what joins its inputs
 * @param dense MLPs that every token passes, and routers
 * @param experts that are routed to
 */
record WeightBytes(long ends, long attention, long dense, long experts) {
    /** @param drafting whether the MTP layer drafts, whose norms and joining matrix count as attention */
    static WeightBytes of(ModelWeights weights, boolean drafting) {
        boolean tied = weights.head().equals(weights.embedding());
        long ends = bytes(weights.embedding()) + (tied ? 0 : bytes(weights.head())) + bytes(weights.norm());
        List<LayerWeights> layers = new ArrayList<>(weights.layers());
        long attention = 0;
        if (drafting) {
            MtpWeights mtp = weights.mtp().getFirst();
            layers.add(mtp.layer());
            attention = bytes(mtp.eNorm()) + bytes(mtp.hNorm()) + bytes(mtp.headNorm()) + bytes(mtp.ehProj());
        }
        long dense = 0;
        long experts = 0;
        for (LayerWeights layer : layers) {
            attention += bytes(layer.inputNorm()) + bytes(layer.postAttentionNorm()) + attention(layer);
            switch (layer.mlp()) {
                case DenseMlp mlp -> dense += bytes(mlp);
                case MoeMlp moe -> {
                    DenseMlp shared = moe.shared();
                    dense += bytes(moe.router()) + bytes(moe.bias()) + (shared == null ? 0 : bytes(shared));
                    experts +=
                            moe.experts().stream().mapToLong(WeightBytes::bytes).sum();
                }
            }
        }
        return new WeightBytes(ends, attention, dense, experts);
    }

    private static long attention(LayerWeights layer) {
        AttentionWeights w = layer.attention();
        long bytes = Stream.of(w.qA(), w.qB(), w.kvA(), w.kvB(), w.output())
                        .mapToLong(WeightBytes::bytes)
                        .sum()
                + bytes(w.qANorm())
                + bytes(w.kvANorm());
        IndexerWeights i = layer.indexer();
        return i == null
                ? bytes
                : bytes
                        + bytes(i.qB())
                        + bytes(i.k())
                        + bytes(i.headWeights())
                        + bytes(i.kNormWeight())
                        + bytes(i.kNormBias());
    }

    private static long bytes(DenseMlp mlp) {
        return bytes(mlp.gate()) + bytes(mlp.up()) + bytes(mlp.down());
    }

    /** Where there are no scales, an array of one stands for them. */
    private static long bytes(MatrixTensor matrix) {
        return matrix.bytes() + (matrix.quantised() ? 0 : Float.BYTES);
    }

    /** As f32. */
    private static long bytes(VectorTensor vector) {
        return (long) Float.BYTES * vector.length();
    }
}
