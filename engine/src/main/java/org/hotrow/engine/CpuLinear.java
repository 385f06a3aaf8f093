package org.hotrow.engine;

/**
 * Matrix products: {@code out[t] = W . x[t]} for the rows t of a list. Workers split the rows of W; each decodes a row
 * of W once and uses it for all t.
 */
final class CpuLinear {
    private final Workers workers;
    private final float[][] scratch;

    /** @param widest columns of the widest matrix */
    CpuLinear(Workers workers, int widest) {
        this.workers = workers;
        scratch = new float[workers.count()][widest];
    }

    /** {@code out[t] = W . x[t]} for t below {@code rows}. */
    void multiply(CpuMatrix w, CpuActivation x, CpuActivation out, int rows) {
        workers.run(w.rows(), (long) w.cols() * (rows + 1), (worker, from, to) -> {
            float[] row = scratch[worker];
            for (int r = from; r < to; r++) {
                w.row(r, row, 0);
                for (int t = 0; t < rows; t++) {
                    out.data()[out.at(t) + r] = Lanes.dot(row, 0, x.data(), x.at(t), w.cols());
                }
            }
        });
    }

    /** As the other, for the rows {@code list[0 .. count - 1]} of x only; row i of {@code out} belongs to {@code list[i]}. */
    void multiply(CpuMatrix w, CpuActivation x, int[] list, int count, CpuActivation out) {
        workers.run(w.rows(), (long) w.cols() * (count + 1), (worker, from, to) -> {
            float[] row = scratch[worker];
            for (int r = from; r < to; r++) {
                w.row(r, row, 0);
                for (int i = 0; i < count; i++) {
                    out.data()[out.at(i) + r] = Lanes.dot(row, 0, x.data(), x.at(list[i]), w.cols());
                }
            }
        });
    }

    /** {@code out[t,h] = [W_UK(h)^T q(t,h)[0..nope) | q(t,h)[nope..]]}; {@code kvB} is {@code [heads * (nope + value), latent]}. */
    void absorb(CpuMatrix kvB, CpuActivation q, CpuActivation out, int rows, int heads, int nope, int value) {
        int latent = kvB.cols();
        int queryDim = q.width() / heads;
        int outDim = out.width() / heads;
        int rope = queryDim - nope;
        workers.run(heads, (long) latent * nope * (rows + 1), (worker, from, to) -> {
            float[] row = scratch[worker];
            for (int h = from; h < to; h++) {
                for (int t = 0; t < rows; t++) {
                    int at = out.at(t) + h * outDim;
                    java.util.Arrays.fill(out.data(), at, at + latent, 0f);
                    System.arraycopy(q.data(), q.at(t) + h * queryDim + nope, out.data(), at + latent, rope);
                }
                for (int i = 0; i < nope; i++) {
                    kvB.row(h * (nope + value) + i, row, 0);
                    for (int t = 0; t < rows; t++) {
                        float factor = q.data()[q.at(t) + h * queryDim + i];
                        Lanes.addScaled(factor, row, 0, out.data(), out.at(t) + h * outDim, latent);
                    }
                }
            }
        });
    }

    /** {@code out[t,h] = W_UV(h) u[t,h]}, the value rows of {@code kvB}. */
    void expand(CpuMatrix kvB, CpuActivation u, CpuActivation out, int rows, int heads, int nope, int value) {
        int latent = kvB.cols();
        workers.run(heads * value, (long) latent * (rows + 1), (worker, from, to) -> {
            float[] row = scratch[worker];
            for (int r = from; r < to; r++) {
                int h = r / value;
                kvB.row(h * (nope + value) + nope + r % value, row, 0);
                for (int t = 0; t < rows; t++) {
                    out.data()[out.at(t) + r] = Lanes.dot(row, 0, u.data(), u.at(t) + h * latent, latent);
                }
            }
        });
    }
}
