package org.hotrow.modelloader;

/**
 * A dense MLP or an expert, {@code down(silu(gate x) * up x)}. Shapes are [out, in].
 *
 * @param gate [width, hidden]
 * @param up [width, hidden]
 * @param down [hidden, width]
 */
public record DenseMlp(MatrixTensor gate, MatrixTensor up, MatrixTensor down) implements MlpWeights {
    @Override
    public long bytes() {
        return gate.bytes() + up.bytes() + down.bytes();
    }

    static DenseMlp map(TensorClaims claims, String prefix, ModelConfig config, Dim width) {
        Dim hidden = Dim.hidden(config);
        return new DenseMlp(
                claims.matrix(prefix + "gate_proj.weight", width, hidden),
                claims.matrix(prefix + "up_proj.weight", width, hidden),
                claims.matrix(prefix + "down_proj.weight", hidden, width));
    }
}
