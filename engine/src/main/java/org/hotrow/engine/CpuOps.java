package org.hotrow.engine;

import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.engine.lanes.PackedMatrix;
import org.hotrow.kernels.Rope;
import org.hotrow.kernels.RopeTable;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.MatrixTensor;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.VectorTensor;

/** The operations on the CPU, each run at once, in f32, with dequantised weights: the reference device. */
final class CpuOps implements Ops {
    private static final float LAYER_NORM_EPS = 1e-6f;

    private final ModelConfig config;
    private final CpuWeights weights;
    private final Lanes lanes;
    private final StepArrays step;
    private final CpuLinear linear;
    private final CpuIndexer indexer;
    private final CpuAttention attention;
    private final CpuHotRows hotRows;
    private final CpuExperts experts;
    private final Router router;
    private final RopeTable ropeTable;
    private final float[][] cos;
    private final float[][] sin;
    private final CpuActivation gateLogits;

    CpuOps(
            ModelConfig config,
            CpuWeights weights,
            CacheFormat format,
            StepArrays step,
            KvSlabs slabs,
            CpuHotRows hotRows,
            Workers workers,
            Lanes lanes) {
        this.config = config;
        this.lanes = lanes;
        this.weights = weights;
        this.step = step;
        this.hotRows = hotRows;
        AttentionConfig a = config.attention();
        linear = new CpuLinear(workers, lanes);
        indexer = new CpuIndexer(
                workers,
                lanes,
                step,
                slabs,
                format.keyFormat(config),
                config.indexer(),
                step.maxPages * Block.TOKENS,
                hotRows::score);
        attention = new CpuAttention(
                workers,
                lanes,
                step,
                slabs,
                format.rowFormat(config),
                a,
                (float) config.softmaxScale(),
                config.indexer().topK());
        experts = new CpuExperts(linear, lanes, weights, config.mlp(), config.hiddenSize(), step.maxRows);
        router = new Router(config.mlp());
        gateLogits = CpuActivation.of(step.maxRows, Math.max(1, config.mlp().experts()));
        ropeTable = RopeTables.of(config);
        cos = new float[step.maxRows][a.ropeDim() / 2];
        sin = new float[step.maxRows][a.ropeDim() / 2];
    }

    @Override
    public Activation activation(int width) {
        return CpuActivation.of(step.maxRows, width);
    }

    @Override
    public Activation logitActivation(int width) {
        return CpuActivation.of(step.maxLogitRows, width);
    }

    @Override
    public IntRows ints(int width) {
        return CpuInts.of(step.maxRows, width);
    }

    @Override
    public Activation features() {
        return activation(config.hiddenSize());
    }

    @Override
    public IntRows selections() {
        return ints(config.indexer().topK());
    }

    @Override
    public void embed(MatrixTensor table, Activation out) {
        CpuActivation o = CpuActivation.of(out);
        PackedMatrix matrix = weights.matrix(table);
        for (int t = 0; t < step.rows(); t++) {
            matrix.row(step.token[t], o.data(), o.at(t));
        }
    }

    @Override
    public void keep(Activation x, Activation all) {
        CpuActivation from = CpuActivation.of(x);
        CpuActivation to = CpuActivation.of(all);
        System.arraycopy(from.data(), from.at(0), to.data(), to.at(0), step.rows() * from.width());
    }

    @Override
    public void keep(IntRows x, IntRows all) {
        CpuInts from = CpuInts.of(x);
        CpuInts to = CpuInts.of(all);
        System.arraycopy(from.data(), from.at(0), to.data(), to.at(0), step.rows() * from.width());
    }

    @Override
    public void take(Activation all, Activation out) {
        CpuActivation f = CpuActivation.of(all);
        CpuActivation o = CpuActivation.of(out);
        for (int t = 0; t < step.rows(); t++) {
            System.arraycopy(f.data(), f.at(step.sourceRow[t]), o.data(), o.at(t), o.width());
        }
    }

    @Override
    public void take(IntRows all, IntRows out) {
        CpuInts f = CpuInts.of(all);
        CpuInts o = CpuInts.of(out);
        for (int t = 0; t < step.rows(); t++) {
            System.arraycopy(f.data(), f.at(step.selectionRow[t]), o.data(), o.at(t), o.width());
        }
    }

    @Override
    public void join(Activation left, Activation right, Activation out) {
        CpuActivation l = CpuActivation.of(left);
        CpuActivation r = CpuActivation.of(right);
        CpuActivation o = CpuActivation.of(out);
        for (int t = 0; t < step.rows(); t++) {
            System.arraycopy(l.data(), l.at(t), o.data(), o.at(t), l.width());
            System.arraycopy(r.data(), r.at(t), o.data(), o.at(t) + l.width(), r.width());
        }
    }

    @Override
    public void angles() {
        for (int t = 0; t < step.rows(); t++) {
            ropeTable.at(step.position[t], cos[t], sin[t]);
        }
    }

    @Override
    public void rmsNorm(Activation x, VectorTensor weight, Activation out) {
        CpuActivation from = CpuActivation.of(x);
        CpuActivation to = CpuActivation.of(out);
        for (int t = 0; t < step.rows(); t++) {
            rmsNorm(from, t, weights.vector(weight), to, t);
        }
    }

    private void rmsNorm(CpuActivation x, int row, float[] weight, CpuActivation out, int outRow) {
        rmsNorm(lanes, config.rmsEps(), x, row, weight, out, outRow);
    }

    static void rmsNorm(
            Lanes lanes, double eps, CpuActivation x, int row, float[] weight, CpuActivation out, int outRow) {
        int n = x.width();
        int from = x.at(row);
        double mean = (double) lanes.dot(x.data(), from, x.data(), from, n) / n;
        float scale = (float) (1 / Math.sqrt(mean + eps));
        lanes.scale(x.data(), from, scale, weight, out.data(), out.at(outRow), n);
    }

    @Override
    public void layerNorm(Activation x, VectorTensor weight, VectorTensor bias, Activation out) {
        layerNorm(
                CpuActivation.of(x), weights.vector(weight), weights.vector(bias), CpuActivation.of(out), step.rows());
    }

    static void layerNorm(CpuActivation from, float[] weight, float[] bias, CpuActivation to, int rows) {
        int n = from.width();
        for (int t = 0; t < rows; t++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += from.data()[from.at(t) + i];
            }
            double mean = sum / n;
            double squares = 0;
            for (int i = 0; i < n; i++) {
                double d = from.data()[from.at(t) + i] - mean;
                squares += d * d;
            }
            double scale = 1 / Math.sqrt(squares / n + LAYER_NORM_EPS);
            for (int i = 0; i < n; i++) {
                double unit = (from.data()[from.at(t) + i] - mean) * scale;
                to.data()[to.at(t) + i] = (float) (unit * weight[i] + bias[i]);
            }
        }
    }

    @Override
    public void linear(MatrixTensor weight, Activation x, Activation out) {
        linear.multiply(weights.matrix(weight), CpuActivation.of(x), CpuActivation.of(out), step.rows());
    }

    @Override
    public void add(Activation x, Activation into) {
        CpuActivation from = CpuActivation.of(x);
        CpuActivation to = CpuActivation.of(into);
        for (int t = 0; t < step.rows(); t++) {
            lanes.add(from.data(), from.at(t), to.data(), to.at(t), to.width());
        }
    }

    @Override
    public void addNorm(Activation x, Activation into, VectorTensor weight, Activation out) {
        CpuActivation from = CpuActivation.of(x);
        CpuActivation sum = CpuActivation.of(into);
        CpuActivation to = CpuActivation.of(out);
        float[] w = weights.vector(weight);
        // Not by add and rmsNorm: one call deeper, and the compiler boxes their vectors.
        for (int t = 0; t < step.rows(); t++) {
            lanes.add(from.data(), from.at(t), sum.data(), sum.at(t), sum.width());
            rmsNorm(sum, t, w, to, t);
        }
    }

    @Override
    public void swiglu(Activation gate, Activation up, Activation out) {
        CpuActivation g = CpuActivation.of(gate);
        CpuActivation u = CpuActivation.of(up);
        CpuActivation o = CpuActivation.of(out);
        for (int t = 0; t < step.rows(); t++) {
            lanes.swiglu(g.data(), g.at(t), u.data(), u.at(t), o.data(), o.at(t), o.width());
        }
    }

    @Override
    public void rope(Activation x, int heads, int at, boolean interleaved) {
        CpuActivation a = CpuActivation.of(x);
        int headWidth = a.width() / heads;
        for (int t = 0; t < step.rows(); t++) {
            for (int h = 0; h < heads; h++) {
                int from = a.at(t) + h * headWidth + at;
                if (interleaved) {
                    Rope.interleaved(a.data(), from, cos[t], sin[t]);
                } else {
                    Rope.halfSplit(a.data(), from, cos[t], sin[t]);
                }
            }
        }
    }

    @Override
    public void absorb(MatrixTensor kvB, Activation query, Activation out) {
        AttentionConfig a = config.attention();
        CpuActivation q = CpuActivation.of(query);
        CpuActivation o = CpuActivation.of(out);
        List<PackedMatrix> absorb = weights.heads(kvB).absorb();
        int[] all = linear.ascending(step.rows());
        int outDim = o.width() / a.heads();
        for (int h = 0; h < a.heads(); h++) {
            linear.add(absorb.get(h), q, h * a.queryDim(), all, 0, step.rows(), o, 0, h * outDim);
        }
        linear.run();
        for (int t = 0; t < step.rows(); t++) {
            for (int h = 0; h < a.heads(); h++) {
                int rope = q.at(t) + h * a.queryDim() + a.nopeDim();
                System.arraycopy(q.data(), rope, o.data(), o.at(t) + h * outDim + a.latentRank(), a.ropeDim());
            }
        }
    }

    @Override
    public void expand(MatrixTensor kvB, Activation latent, Activation out) {
        AttentionConfig a = config.attention();
        CpuActivation l = CpuActivation.of(latent);
        CpuActivation o = CpuActivation.of(out);
        List<PackedMatrix> expand = weights.heads(kvB).expand();
        int[] all = linear.ascending(step.rows());
        for (int h = 0; h < a.heads(); h++) {
            linear.add(expand.get(h), l, h * a.latentRank(), all, 0, step.rows(), o, 0, h * a.valueDim());
        }
        linear.run();
    }

    @Override
    public void writeRow(int layer, Activation row) {
        attention.write(layer, CpuActivation.of(row));
    }

    @Override
    public void writeIndexKey(int layer, Activation key) {
        indexer.write(layer, CpuActivation.of(key));
    }

    @Override
    public void select(int layer, Activation query, Activation headWeights, IntRows positions) {
        indexer.select(layer, CpuActivation.of(query), CpuActivation.of(headWeights), CpuInts.of(positions));
    }

    @Override
    public void resolve(int anchor, IntRows positions, IntRows rows) {
        hotRows.resolve(anchor, CpuInts.of(positions), CpuInts.of(rows));
    }

    @Override
    public void attend(int layer, Activation query, IntRows rows, Activation out) {
        int from = 0;
        for (int group = 0; group < hotRows.groups(); group++) {
            int to = hotRows.rowEnd(group);
            hotRows.gather(layer, group);
            attention.attend(layer, CpuActivation.of(query), CpuInts.of(rows), CpuActivation.of(out), from, to);
            from = to;
        }
    }

    @Override
    public void route(MatrixTensor gate, VectorTensor bias, Activation x, IntRows chosen, Activation shares) {
        linear.multiply(weights.matrix(gate), CpuActivation.of(x), gateLogits, step.rows());
        CpuInts ids = CpuInts.of(chosen);
        CpuActivation w = CpuActivation.of(shares);
        for (int t = 0; t < step.rows(); t++) {
            router.choose(
                    gateLogits.data(),
                    gateLogits.at(t),
                    weights.vector(bias),
                    ids.data(),
                    ids.at(t),
                    w.data(),
                    w.at(t));
        }
    }

    @Override
    public void experts(List<DenseMlp> mlps, Activation x, IntRows chosen, Activation shares, Activation out) {
        experts.run(
                mlps,
                CpuActivation.of(x),
                CpuInts.of(chosen),
                CpuActivation.of(shares),
                CpuActivation.of(out),
                step.rows());
    }

    @Override
    public void logits(Activation hidden, VectorTensor norm, MatrixTensor head, Activation normed, Activation logits) {
        CpuActivation h = CpuActivation.of(hidden);
        CpuActivation n = CpuActivation.of(normed);
        for (int i = 0; i < step.logitRows(); i++) {
            rmsNorm(h, step.logitRow[i], weights.vector(norm), n, i);
        }
        linear.multiply(weights.matrix(head), n, CpuActivation.of(logits), step.logitRows());
    }
}
