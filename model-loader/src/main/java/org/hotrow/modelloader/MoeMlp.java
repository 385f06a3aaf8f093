package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A mixture of experts.
 *
 * @param router [experts, hidden]
 * @param bias of the experts' scores, for selection only; F32, since its spread is lost in 16 bits
 * @param experts routed experts
 * @param shared the shared experts as one, null if there are none
 */
public record MoeMlp(
        MatrixTensor router,
        VectorTensor bias,
        List<DenseMlp> experts,
        @Nullable DenseMlp shared) implements MlpWeights {
    public MoeMlp {
        experts = List.copyOf(experts);
    }

    @Override
    public long bytes() {
        long bytes = router.bytes() + bias.bytes() + (shared == null ? 0 : shared.bytes());
        return bytes + experts.stream().mapToLong(DenseMlp::bytes).sum();
    }

    static MoeMlp map(TensorClaims claims, String prefix, ModelConfig config) {
        MlpConfig mlp = config.mlp();
        Dim count = new Dim(mlp.experts(), "n_routed_experts");
        Dim width = new Dim(mlp.expertWidth(), "moe_intermediate_size");
        Dim sharedWidth = new Dim(mlp.sharedExperts() * mlp.expertWidth(), "n_shared_experts * moe_intermediate_size");
        MatrixTensor router = claims.matrix(prefix + "gate.weight", count, Dim.hidden(config));
        VectorTensor bias = claims.exactVector(prefix + "gate.e_score_correction_bias", count);
        List<DenseMlp> experts = new ArrayList<>();
        for (int expert = 0; expert < mlp.experts(); expert++) {
            experts.add(DenseMlp.map(claims, prefix + "experts." + expert + ".", config, width));
        }
        DenseMlp shared =
                mlp.sharedExperts() == 0 ? null : DenseMlp.map(claims, prefix + "shared_experts.", config, sharedWidth);
        return new MoeMlp(router, bias, experts, shared);
    }
}
