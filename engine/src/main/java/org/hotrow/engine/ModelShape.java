package org.hotrow.engine;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.MlpConfig;
import org.hotrow.modelloader.MlpType;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelWeights;
import org.hotrow.modelloader.TensorView;

/** What a checkpoint is, in lines for people: a name, then numbers. */
public final class ModelShape {
    private ModelShape() {}

    /** A checkpoint's shape, a line for each part. */
    public static List<String> shape(ModelConfig c) {
        List<String> lines = new ArrayList<>();
        AttentionConfig a = c.attention();
        IndexerConfig i = c.indexer();
        MlpConfig m = c.mlp();
        long sparse = m.types().stream().filter(MlpType.SPARSE::equals).count();
        lines.add(line("family", c.family().name().toLowerCase(Locale.ROOT)));
        lines.add(line(
                "layers",
                String.format(
                        Locale.ROOT,
                        "%d (%d dense, %d sparse), %d MTP",
                        c.layers(),
                        c.layers() - sparse,
                        sparse,
                        c.mtpLayers())));
        lines.add(line(
                "hidden",
                String.format(
                        Locale.ROOT,
                        "%d, vocabulary %d, context %d",
                        c.hiddenSize(),
                        c.vocabSize(),
                        c.contextLength())));
        lines.add(line(
                "attention",
                String.format(
                        Locale.ROOT,
                        "%d heads, latent %d + rope %d, query rank %d, values %d",
                        a.heads(),
                        a.latentRank(),
                        a.ropeDim(),
                        a.queryRank(),
                        a.valueDim())));
        lines.add(line(
                "indexer",
                String.format(
                        Locale.ROOT,
                        "top-%d, %d heads of %d, on %d of %d layers",
                        i.topK(),
                        i.heads(),
                        i.headDim(),
                        c.indexer().anchors().size(),
                        c.layers())));
        lines.add(line(
                "experts",
                String.format(
                        Locale.ROOT,
                        "%d, %d per token, %d shared, width %d; dense width %d",
                        m.experts(),
                        m.expertsPerToken(),
                        m.sharedExperts(),
                        m.expertWidth(),
                        m.denseWidth())));
        return lines;
    }

    /** Parameters of a checkpoint and their bytes. */
    public static List<String> parameters(Model opened) {
        long parameters = 0;
        Map<DType, Long> bytes = new EnumMap<>(DType.class);
        for (String name : opened.tensors().names()) {
            TensorView tensor = opened.tensors().find(name).orElseThrow();
            bytes.merge(tensor.dtype(), tensor.data().byteSize(), Long::sum);
            if (!name.endsWith(".weight_scale_inv")) {
                parameters += tensor.shape().stream().reduce(1L, (x, y) -> x * y);
            }
        }
        List<String> lines = new ArrayList<>();
        lines.add(line(
                "parameters",
                String.format(
                        Locale.ROOT,
                        "%,d in %d tensors",
                        parameters,
                        opened.tensors().names().size())));
        bytes.forEach((dtype, count) -> lines.add(line("  " + dtype, String.format(Locale.ROOT, "%,d bytes", count))));
        ModelWeights weights = opened.weights();
        String drafting = weights.mtp().isEmpty()
                ? ""
                : String.format(Locale.ROOT, "; with --speculative-tokens %,d", weights.bytes(true));
        lines.add(line("  to load", String.format(Locale.ROOT, "%,d bytes", weights.bytes()) + drafting));
        return lines;
    }

    static String line(String name, String value) {
        return String.format(Locale.ROOT, "%-12s %s", name, value);
    }
}
