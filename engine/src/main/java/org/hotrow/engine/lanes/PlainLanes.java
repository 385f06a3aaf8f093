package org.hotrow.engine.lanes;

/** The loops in plain Java, with the arithmetic of 8 lanes written out. */
final class PlainLanes implements Lanes {
    @Override
    public String name() {
        return "plain";
    }

    @Override
    public float dot(float[] a, int ai, float[] b, int bi, int n) {
        float s0 = 0, s1 = 0, s2 = 0, s3 = 0, s4 = 0, s5 = 0, s6 = 0, s7 = 0;
        int whole = n - n % WIDTH;
        for (int i = 0; i < whole; i += WIDTH) {
            int p = ai + i;
            int q = bi + i;
            s0 = Math.fma(a[p], b[q], s0);
            s1 = Math.fma(a[p + 1], b[q + 1], s1);
            s2 = Math.fma(a[p + 2], b[q + 2], s2);
            s3 = Math.fma(a[p + 3], b[q + 3], s3);
            s4 = Math.fma(a[p + 4], b[q + 4], s4);
            s5 = Math.fma(a[p + 5], b[q + 5], s5);
            s6 = Math.fma(a[p + 6], b[q + 6], s6);
            s7 = Math.fma(a[p + 7], b[q + 7], s7);
        }
        return LaneSums.dot(s0, s1, s2, s3, s4, s5, s6, s7, a, ai + whole, b, bi + whole, n - whole);
    }

    @Override
    public void dots(
            float[] a,
            int aFrom,
            int m,
            float[] b,
            int bFrom,
            int n,
            int width,
            float[] out,
            int outFrom,
            int outStride,
            float[] room) {
        for (int i = 0; i < m; i++) {
            for (int j = 0; j < n; j++) {
                out[outFrom + i * outStride + j] = dot(a, aFrom + i * width, b, bFrom + j * width, width);
            }
        }
    }

    @Override
    public void addScaled(float a, float[] x, int xi, float[] y, int yi, int n) {
        for (int i = 0; i < n; i++) {
            y[yi + i] = Math.fma(a, x[xi + i], y[yi + i]);
        }
    }

    @Override
    public void add(float[] x, int xi, float[] y, int yi, int n) {
        for (int i = 0; i < n; i++) {
            y[yi + i] += x[xi + i];
        }
    }

    @Override
    public void scale(float[] x, int xi, float factor, float[] out, int oi, int n) {
        for (int i = 0; i < n; i++) {
            out[oi + i] = x[xi + i] * factor;
        }
    }

    @Override
    public void scale(float[] x, int xi, float factor, float[] weight, float[] out, int oi, int n) {
        for (int i = 0; i < n; i++) {
            out[oi + i] = x[xi + i] * factor * weight[i];
        }
    }

    @Override
    public void swiglu(float[] gate, int gi, float[] up, int ui, float[] out, int oi, int n) {
        for (int i = 0; i < n; i++) {
            float g = gate[gi + i];
            out[oi + i] = g / (1 + Exp.of(-g)) * up[ui + i];
        }
    }

    @Override
    public float max(float[] x, int xi, int n) {
        float max = Float.NEGATIVE_INFINITY;
        for (int i = 0; i < n; i++) {
            max = Math.max(max, x[xi + i]);
        }
        return max;
    }

    @Override
    public void exp(float[] x, int xi, float shift, int n) {
        for (int i = 0; i < n; i++) {
            x[xi + i] = Exp.of(x[xi + i] - shift);
        }
    }

    @Override
    public float sum(float[] x, int xi, int n) {
        return LaneSums.tree(
                lane(x, xi, n, 0),
                lane(x, xi, n, 1),
                lane(x, xi, n, 2),
                lane(x, xi, n, 3),
                lane(x, xi, n, 4),
                lane(x, xi, n, 5),
                lane(x, xi, n, 6),
                lane(x, xi, n, 7));
    }

    private static float lane(float[] x, int xi, int n, int lane) {
        float sum = 0;
        for (int i = lane; i < n; i += WIDTH) {
            sum += x[xi + i];
        }
        return sum;
    }

    @Override
    public void weightedRelu(float[] dots, int stride, int heads, float[] w, int wi, float[] out, int oi, int n) {
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int h = 0; h < heads; h++) {
                sum = Math.fma(w[wi + h], Math.max(0f, dots[h * stride + j]), sum);
            }
            out[oi + j] = sum;
        }
    }

    @Override
    public void tile(
            float[] block,
            int bi,
            int blockStride,
            int n,
            float[] x,
            int xi,
            int xStride,
            int rows,
            float[] out,
            int oi,
            int outStride) {
        for (int t = 0; t < rows; t++) {
            for (int l = 0; l < TILE; l += 4) {
                float p0 = 0, p1 = 0, p2 = 0, p3 = 0;
                int at = bi + l;
                for (int k = 0; k < n; k++, at += blockStride) {
                    float f = x[xi + t * xStride + k];
                    p0 = Math.fma(block[at], f, p0);
                    p1 = Math.fma(block[at + 1], f, p1);
                    p2 = Math.fma(block[at + 2], f, p2);
                    p3 = Math.fma(block[at + 3], f, p3);
                }
                int o = oi + t * outStride + l;
                out[o] = p0;
                out[o + 1] = p1;
                out[o + 2] = p2;
                out[o + 3] = p3;
            }
        }
    }

    @Override
    public void addTiles(float[] p, int rows, float[] scale, int si, float[] sums) {
        for (int i = 0; i < rows * TILE; i++) {
            sums[i] = Math.fma(p[i], scale[si + i % TILE], sums[i]);
        }
    }

    @Override
    public void decode(PackedMatrix matrix, int panel, int segment, float[] block) {
        Packing packing = matrix.packing();
        float factor = matrix.scaleFactor();
        int n = matrix.column(segment + 1) - matrix.column(segment);
        long at = matrix.offset(panel, segment);
        for (int k = 0; k < n; k += packing.columns()) {
            int end = Math.min(packing.columns(), n - k);
            for (int l = 0; l < TILE; l++, at += Integer.BYTES) {
                int word = matrix.data().get(PackedMatrix.WORD, at);
                for (int c = 0; c < end; c++) {
                    block[(k + c) * TILE + l] = bits(packing, word, c) * factor;
                }
            }
        }
    }

    @Override
    public void decodeTile(
            PackedMatrix matrix,
            int panel,
            int segment,
            float[] x,
            int xi,
            int xStride,
            int rows,
            float[] out,
            int oi) {
        for (int t = 0; t < rows; t++) {
            decodeTile(matrix, panel, segment, x, xi + t * xStride, out, oi + t * TILE);
        }
    }

    private static void decodeTile(
            PackedMatrix matrix, int panel, int segment, float[] x, int xi, float[] out, int oi) {
        Packing packing = matrix.packing();
        int n = matrix.column(segment + 1) - matrix.column(segment);
        int si = matrix.scaleAt(panel, segment);
        for (int l = 0; l < TILE; l++) {
            long at = matrix.offset(panel, segment) + (long) l * Integer.BYTES;
            float p = 0;
            for (int k = 0; k < n; k += packing.columns(), at += (long) TILE * Integer.BYTES) {
                int word = matrix.data().get(PackedMatrix.WORD, at);
                for (int c = 0; c < Math.min(packing.columns(), n - k); c++) {
                    p = Math.fma(bits(packing, word, c), x[xi + k + c], p);
                }
            }
            out[oi + l] = Math.fma(p, matrix.scales()[si + l], out[oi + l]);
        }
    }

    /** Element {@code index} of a word, with the exponent that its bits give it. */
    private static float bits(Packing packing, int word, int index) {
        return Float.intBitsToFloat(
                switch (packing) {
                    case E4M3 -> ((word << (24 - 8 * index)) >> 4) & PackedMatrix.MAGNITUDE_AND_SIGN;
                    case BF16 -> index == 0 ? word << 16 : word & 0xFFFF0000;
                    case F32 -> word;
                });
    }
}
