package org.hotrow.engine;

import java.util.List;
import java.util.stream.Stream;
import org.hotrow.kernels.tornado.ExpertGroups;
import org.hotrow.kernels.tornado.HeadLinear;
import org.hotrow.kernels.tornado.IndexScores;
import org.hotrow.kernels.tornado.Router;
import org.hotrow.kernels.tornado.SparseMla;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.AttentionWeights;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.IndexerWeights;
import org.hotrow.modelloader.LayerWeights;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.MlpConfig;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.MoeMlp;
import org.hotrow.modelloader.MtpWeights;

/** Which models the kernels can compute. Others are refused by their headers, before anything is loaded. */
final class GraphModel {
    private static final int FP8_CODES_OF_A_LONG = 8;
    private static final int BF16_CODES_OF_A_LONG = 4;
    private static final String ONLY_CPU = ": no kernel takes that, only --device cpu";

    private GraphModel() {}

    /** @throws ModelFormatException naming the tensor or the field that there are no kernels for */
    static void require(Model model, CacheFormat format) {
        requireShape(model, format);
        requireType(model.weights().embedding(), false, true);
        requireType(model.weights().head(), false, true);
        model.weights().layers().forEach(GraphModel::require);
    }

    /**
     * Refuses a drafter, which a model has, by the same rules.
     *
     * @throws ModelFormatException naming the tensor that there are no kernels for
     */
    static void requireDrafter(Model model) {
        MtpWeights drafter = model.weights().mtp().getFirst();
        requireType(drafter.ehProj(), true, true);
        require(drafter.layer());
    }

    private static void require(LayerWeights layer) {
        matrices(layer).forEach(matrix -> requireType(matrix, true, true));
        if (layer.mlp() instanceof MoeMlp moe) {
            moe.experts().stream().flatMap(GraphModel::matrices).forEach(matrix -> requireType(matrix, true, false));
        }
    }

    private static Stream<MatrixTensor> matrices(LayerWeights layer) {
        AttentionWeights a = layer.attention();
        Stream<MatrixTensor> attention = Stream.of(a.qA(), a.qB(), a.kvA(), a.kvB(), a.output());
        IndexerWeights i = layer.indexer();
        Stream<MatrixTensor> indexer = i == null ? Stream.of() : Stream.of(i.qB(), i.k(), i.headWeights());
        Stream<MatrixTensor> mlp = switch (layer.mlp()) {
            case DenseMlp dense -> matrices(dense);
            case MoeMlp moe -> {
                DenseMlp shared = moe.shared();
                yield Stream.concat(Stream.of(moe.router()), shared == null ? Stream.of() : matrices(shared));
            }
        };
        return Stream.of(attention, indexer, mlp).flatMap(some -> some);
    }

    private static Stream<MatrixTensor> matrices(DenseMlp mlp) {
        return Stream.of(mlp.gate(), mlp.up(), mlp.down());
    }

    private static void requireType(MatrixTensor matrix, boolean fp8, boolean bf16) {
        DType type = matrix.values().dtype();
        boolean taken = matrix.quantised() ? fp8 : bf16 && type == DType.BF16;
        if (!taken) {
            String expected = fp8 && bf16 ? "FP8 in blocks or BF16" : fp8 ? "FP8 in blocks" : "BF16";
            throw new ModelFormatException(
                    matrix.values().file(), matrix.values().name(), "is " + type + ", expected " + expected + ONLY_CPU);
        }
        int multiple = matrix.quantised() ? FP8_CODES_OF_A_LONG : BF16_CODES_OF_A_LONG;
        if (matrix.cols() % multiple != 0) {
            throw new ModelFormatException(
                    matrix.values().file(),
                    matrix.values().name(),
                    "has rows of " + matrix.cols() + " values, expected a multiple of " + multiple + ONLY_CPU);
        }
    }

    private static void requireShape(Model model, CacheFormat format) {
        AttentionConfig a = model.config().attention();
        IndexerConfig i = model.config().indexer();
        MlpConfig m = model.config().mlp();
        if (m.groupsKept() < m.groups()) {
            throw new ModelFormatException(
                    model.configFile(),
                    "topk_group",
                    "is " + m.groupsKept() + " of n_group = " + m.groups() + ", expected all of them" + ONLY_CPU);
        }
        List<Runnable> shapes = List.of(
                () -> new SparseMla.Shape(1, a.heads(), a.latentRank(), a.ropeDim(), i.topK(), format.rows()),
                () -> new HeadLinear.Shape(1, a.heads(), a.nopeDim(), a.ropeDim(), a.valueDim(), a.latentRank(), 8),
                () -> new IndexScores.Shape(1, i.heads(), i.headDim(), i.topK(), 1, 1, 1, format.indexKeys()),
                () -> new Router.Shape(1, m.experts(), m.expertsPerToken(), true, 1),
                () -> new ExpertGroups.Shape(1, m.experts(), m.expertsPerToken()));
        for (Runnable shape : shapes) {
            try {
                shape.run();
            } catch (IllegalArgumentException e) {
                throw new ModelFormatException(model.configFile(), "", e.getMessage() + ONLY_CPU);
            }
        }
    }
}
