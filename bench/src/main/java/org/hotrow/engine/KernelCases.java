package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.BlockId;
import org.hotrow.allocator.HostPageId;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.Step;
import org.hotrow.bench.Floor;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.AttentionWeights;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.IndexerWeights;
import org.hotrow.modelloader.LayerWeights;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.MoeMlp;

/**
 * The operations of the walk, with the weights of the demo model: one token at position {@value #POSITION}, the last of
 * {@value #PAGES} pages, fp8 rows and index keys. Those of pages copy one page.
 */
final class KernelCases {
    static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    static final int PAGES = 16;
    static final int POSITION = PAGES * Block.TOKENS - 1;

    private static final OpsBench.Place RESIDENT = new OpsBench.Place(1, POSITION, PAGES, false, 0);
    private static final OpsBench.Place BOTH = new OpsBench.Place(1, POSITION, PAGES, true, 0);
    private static final OpsBench.Place LOST = new OpsBench.Place(1, POSITION, PAGES, true, PAGES - 2);
    private static final int FLOAT = Float.BYTES;
    private static final int BF16 = Short.BYTES;

    private final Model model;
    private final int hidden;
    private final AttentionConfig attention;
    private final IndexerConfig indexer;
    private final LayerWeights layer;
    private final int row;
    private final long rowBytes;
    private final long keyBytes;
    private final List<KernelCase> cases = new ArrayList<>();

    KernelCases(Model model) {
        this.model = model;
        hidden = model.config().hiddenSize();
        attention = model.config().attention();
        indexer = model.config().indexer();
        layer = model.weights().layers().getFirst();
        row = attention.latentRank() + attention.ropeDim();
        rowBytes = FORMAT.rowFormat(model.config()).rowBytes();
        keyBytes = FORMAT.keyFormat(model.config()).pageBytes() / Block.TOKENS;
        addVectors();
        addMatrices();
        addCache();
        addPages();
    }

    List<KernelCase> all() {
        return cases;
    }

    /** @throws IllegalArgumentException if there is none of this name */
    KernelCase named(String name) {
        return cases.stream()
                .filter(c -> c.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("operation " + name + ": expected one of "
                        + cases.stream().map(KernelCase::name).toList()));
    }

    private void add(
            String name,
            List<String> kernels,
            String shape,
            Floor floor,
            KernelCase.Operation operation,
            Integer... widths) {
        cases.add(new KernelCase(name, kernels, shape, RESIDENT, List.of(widths), floor, false, operation));
    }

    private void addVectors() {
        add("embed", List.of("Embedding"), hidden + " bf16", new Floor((long) BF16 * hidden, 0), (bench, in) -> {
            Activation out = bench.ops().activation(hidden);
            return () -> bench.ops().embed(model.weights().embedding(), out);
        });
        add(
                "rms-norm",
                List.of("RmsNorm"),
                "" + hidden,
                new Floor(2L * FLOAT * hidden, 2L * hidden),
                (bench, in) -> {
                    Activation out = bench.ops().activation(hidden);
                    return () -> bench.ops().rmsNorm(in.getFirst(), layer.inputNorm(), out);
                },
                hidden);
        int key = indexer.headDim();
        IndexerWeights weights = Objects.requireNonNull(layer.indexer());
        add(
                "layer-norm",
                List.of("LayerNorm"),
                "" + key,
                new Floor(3L * FLOAT * key, 3L * key),
                (bench, in) -> () ->
                        bench.ops().layerNorm(in.getFirst(), weights.kNormWeight(), weights.kNormBias(), in.getFirst()),
                key);
        add(
                "residual",
                List.of("Residual"),
                "" + hidden,
                new Floor(2L * FLOAT * hidden, hidden),
                (bench, in) -> () -> bench.ops().add(in.getFirst(), in.getLast()),
                hidden,
                hidden);
        add(
                "swiglu",
                List.of("SwiGlu"),
                "" + hidden,
                new Floor(2L * FLOAT * hidden, 2L * hidden),
                (bench, in) -> () -> bench.ops().swiglu(in.getFirst(), in.getLast(), in.getFirst()),
                hidden,
                hidden);
        int query = attention.heads() * attention.queryDim();
        int turned = attention.heads() * attention.ropeDim();
        add(
                "rope",
                List.of("RotaryEmbedding"),
                attention.heads() + " heads of " + attention.queryDim() + ", " + attention.ropeDim() + " turned",
                new Floor((long) FLOAT * turned, 2L * turned),
                (bench, in) -> {
                    bench.ops().angles();
                    return () -> bench.ops().rope(in.getFirst(), attention.heads(), attention.nopeDim(), true);
                },
                query);
        add(
                "keep-and-take-rows",
                List.of("RowCopy"),
                "" + hidden,
                new Floor(4L * FLOAT * hidden, 0),
                (bench, in) -> {
                    Activation all = bench.ops().features();
                    return () -> {
                        bench.ops().keep(in.getFirst(), all);
                        bench.ops().take(all, in.getFirst());
                    };
                },
                hidden);
        add(
                "join-rows",
                List.of("RowJoin"),
                "2 x " + hidden,
                new Floor(4L * FLOAT * hidden, 0),
                (bench, in) -> {
                    Activation out = bench.ops().activation(2 * hidden);
                    return () -> bench.ops().join(in.getFirst(), in.getLast(), out);
                },
                hidden,
                hidden);
    }

    private static String shape(MatrixTensor matrix) {
        return matrix.rows() + " x " + matrix.cols() + (matrix.quantised() ? " fp8" : " bf16");
    }

    private static Floor floor(MatrixTensor matrix) {
        long values = (long) matrix.rows() * matrix.cols();
        return new Floor(matrix.quantised() ? values : BF16 * values, values);
    }

    private void addMatrices() {
        AttentionWeights weights = layer.attention();
        linear("fp8-linear", "Fp8Linear", weights.qA());
        linear(
                "bf16-linear",
                "Bf16Linear",
                Objects.requireNonNull(layer.indexer()).headWeights());
        MatrixTensor kvB = weights.kvB();
        int heads = attention.heads();
        long nope = (long) heads * attention.nopeDim() * attention.latentRank();
        long value = (long) heads * attention.valueDim() * attention.latentRank();
        add(
                "absorb",
                List.of("HeadLinear"),
                heads + " heads, " + attention.nopeDim() + " to " + attention.latentRank() + " values",
                new Floor(kvB.quantised() ? nope : BF16 * nope, nope),
                (bench, in) -> {
                    Activation out = bench.ops().activation(heads * row);
                    return () -> bench.ops().absorb(kvB, in.getFirst(), out);
                },
                heads * attention.queryDim());
        add(
                "expand",
                List.of("HeadLinear"),
                heads + " heads, " + attention.latentRank() + " to " + attention.valueDim() + " values",
                new Floor(kvB.quantised() ? value : BF16 * value, value),
                (bench, in) -> {
                    Activation out = bench.ops().activation(heads * attention.valueDim());
                    return () -> bench.ops().expand(kvB, in.getFirst(), out);
                },
                heads * attention.latentRank());
        addExperts();
        MatrixTensor head = model.weights().head();
        add(
                "logits",
                List.of("Logits", "RmsNorm", "Bf16Linear"),
                shape(head),
                floor(head),
                (bench, in) -> {
                    Activation normed = bench.ops().logitActivation(hidden);
                    Activation logits = bench.ops().logitActivation(head.rows());
                    return () ->
                            bench.ops().logits(in.getFirst(), model.weights().norm(), head, normed, logits);
                },
                hidden);
    }

    private void linear(String name, String kernel, MatrixTensor matrix) {
        add(
                name,
                List.of(kernel),
                shape(matrix),
                floor(matrix),
                (bench, in) -> {
                    Activation out = bench.ops().activation(matrix.rows());
                    return () -> bench.ops().linear(matrix, in.getFirst(), out);
                },
                matrix.cols());
    }

    private void addExperts() {
        MoeMlp moe = model.weights().layers().stream()
                .map(LayerWeights::mlp)
                .filter(MoeMlp.class::isInstance)
                .map(MoeMlp.class::cast)
                .findFirst()
                .orElseThrow();
        int chosen = model.config().mlp().expertsPerToken();
        Floor router = new Floor(
                (long) BF16 * moe.experts().size() * hidden,
                (long) moe.experts().size() * hidden);
        Floor expert = floor(moe.experts().getFirst().gate()).times(3);
        add(
                "route-and-experts",
                List.of("Bf16Linear", "Router", "ExpertGroups", "ExpertLinear", "ExpertCombine"),
                chosen + " of " + moe.experts().size() + " experts, 3 matrices of "
                        + shape(moe.experts().getFirst().gate()),
                expert.times(chosen).plus(router),
                (bench, in) -> {
                    IntRows experts = bench.ops().ints(chosen);
                    Activation shares = bench.ops().activation(chosen);
                    Activation out = bench.ops().activation(hidden);
                    return () -> {
                        bench.ops().route(moe.router(), moe.bias(), in.getFirst(), experts, shares);
                        bench.ops().experts(moe.experts(), in.getFirst(), experts, shares, out);
                    };
                },
                hidden);
    }

    private void addCache() {
        int k = indexer.topK();
        add(
                "write-row",
                List.of("KvRowWrite"),
                row + " values",
                new Floor((long) FLOAT * row, row),
                (bench, in) -> () -> bench.ops().writeRow(0, in.getFirst()),
                row);
        add(
                "write-index-key",
                List.of("IndexKeyWrite"),
                indexer.headDim() + " values",
                new Floor((long) FLOAT * indexer.headDim(), indexer.headDim()),
                (bench, in) -> () -> bench.ops().writeIndexKey(0, in.getFirst()),
                indexer.headDim());
        int queries = indexer.heads() * indexer.headDim();
        add(
                "select",
                List.of("IndexScores", "RadixTopK"),
                k + " of " + (POSITION + 1) + " keys, " + indexer.heads() + " heads of " + indexer.headDim(),
                new Floor(keyBytes, queries).times(POSITION + 1L),
                (bench, in) -> {
                    IntRows positions = bench.ops().ints(k);
                    return () -> bench.ops().select(0, in.getFirst(), in.getLast(), positions);
                },
                queries,
                indexer.heads());
        attention(
                "resolve-and-attend",
                "rows on the device",
                RESIDENT,
                List.of("RowResolver", "ScoredResolver", "GuessDrop", "SparseMlaSplit"));
        attention(
                "resolve-gather-and-attend",
                "rows on the host",
                LOST,
                List.of("RowResolver", "ScoredResolver", "GuessDrop", "RowGather", "SparseMlaSplit"));
    }

    /** Every so many positions one is selected; in a region that begins empty those that are lost all miss. */
    private void attention(String name, String where, OpsBench.Place place, List<String> kernels) {
        int k = indexer.topK();
        int heads = attention.heads();
        Floor rows = new Floor(rowBytes, (long) heads * (row + attention.latentRank())).times(k);
        cases.add(new KernelCase(
                name,
                kernels,
                heads + " heads over " + k + " rows of " + rowBytes + " bytes, " + where,
                place,
                List.of(heads * row),
                rows,
                false,
                (bench, in) -> {
                    IntRows positions = bench.ops().ints(k);
                    int[] selected = new int[k];
                    for (int i = 0; i < k; i++) {
                        selected[i] = i * (POSITION + 1) / k;
                    }
                    bench.write(positions, selected);
                    IntRows ids = bench.ops().ints(k);
                    Activation out = bench.ops().activation(heads * attention.latentRank());
                    return () -> {
                        if (place.lost() > 0) {
                            bench.resetHot();
                        }
                        bench.ops().resolve(0, positions, ids);
                        bench.ops().attend(0, in.getFirst(), ids, out);
                    };
                }));
    }

    /** Copies of the tensor, which graph devices make by kernels; they are no operations of the walk. */
    private void addPages() {
        int layers = model.config().layers();
        int anchors = indexer.anchors().size();
        long rows = Block.TOKENS * rowBytes * layers;
        long keys = Block.TOKENS * keyBytes * anchors;
        BlockId index = new BlockId(1);
        BlockId block = new BlockId(1 + PAGES);
        HostPageId page = new HostPageId(1);
        pages(
                "write-back",
                "WriteBack",
                "rows and keys of a page",
                rows + keys,
                (tensor, host) -> tensor.writeBack(List.of(new Step.WriteBack(0, 0, block, index, 0, page)), host));
        pages(
                "page-restore",
                "PageRestore",
                "rows of a page",
                rows,
                (tensor, host) -> tensor.restoreRows(List.of(new Step.RowRestore(page, block)), host));
        pages(
                "index-page-restore",
                "PageRestore",
                "keys of a page",
                keys,
                (tensor, host) -> tensor.restoreKeys(List.of(new Step.IndexRestore(page, index, 0)), host));
        pages(
                "index-page-copy",
                "IndexPageCopy",
                "keys of a page",
                keys,
                (tensor, host) -> tensor.copyKeys(List.of(new Step.IndexCopy(index, block, 0))));
    }

    /** A copy. */
    private interface Copy {
        void of(KvTensor tensor, HostPool host);
    }

    private void pages(String name, String kernel, String shape, long bytes, Copy copy) {
        KernelCase.Operation operation = (bench, in) ->
                () -> copy.of(bench.cache().tensor(), bench.cache().host().orElseThrow());
        String words = shape + ", " + bytes + " bytes";
        cases.add(new KernelCase(name, List.of(kernel), words, BOTH, List.of(), new Floor(bytes, 0), true, operation));
    }
}
