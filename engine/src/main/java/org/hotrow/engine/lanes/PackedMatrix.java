package org.hotrow.engine.lanes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import org.hotrow.kernels.E4m3;

/**
 * A weight matrix {@code [rows, cols]} as the tiles read it: panels of 16 rows whose 32-bit words alternate.
 *
 * <pre>
 * panel p   rows 16p .. 16p + 15; rows past the last are zeros
 * word w    of row 16p + l stands at int (p * words + w) * 16 + l
 * segment   a run of columns with one scale per row, in words of its own: the last word may be partly empty
 *
 * columns   0 .. 127 - phase | 128 - phase .. 255 - phase | ...      a segment each, phase 0 .. 127
 * w[r, c]   = element * scale(panel, segment of c, lane)
 * </pre>
 *
 * So 8 or 16 neighbouring ints are the same columns of neighbouring rows, and a sum over columns never crosses lanes. A
 * product sums each segment by itself and then scales it.
 *
 * <p>An e4m3 code is decoded by moving its bits to where a float has them, which gives {@code 2^-120} of its value.
 * Scales hold {@code 2^60} of that back. The rest x brings, times {@link #inputFactor}, where a code meets one row or two.
 * A block for more has it in its elements: a subnormal one would cost some processors a hundred cycles with each row.
 * All are powers of two, so this changes no bit of a result while {@code |x| < 2^67}.
 */
public final class PackedMatrix {
    /** Columns with one scale. */
    public static final int SEGMENT = 128;

    static final ValueLayout.OfInt WORD = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final int LANES = Lanes.TILE;
    private static final int ALIGNMENT = 64;
    static final int MAGNITUDE_AND_SIGN = 0x87F00000;

    static final float HALF_BIAS = 0x1p60f;

    private final MemorySegment data;
    private final Packing packing;
    private final int rows;
    private final int cols;
    private final int[] columnAt;
    private final int[] wordAt;
    private final float[] scales;

    /**
     * A matrix of zeros.
     *
     * @param scales {@code [panels][segments][16]} times {@link #scaleFactor}; 16 ones if nothing is scaled
     */
    PackedMatrix(SegmentAllocator memory, Packing packing, int rows, int cols, int phase, float[] scales) {
        this.packing = packing;
        this.rows = rows;
        this.cols = cols;
        this.scales = scales;
        int segments = segments(cols, phase);
        columnAt = new int[segments + 1];
        wordAt = new int[segments + 1];
        for (int s = 1; s <= segments; s++) {
            columnAt[s] = Math.min(s * SEGMENT - phase, cols);
            wordAt[s] = wordAt[s - 1] + Math.ceilDiv(columnAt[s] - columnAt[s - 1], packing.columns());
        }
        data = memory.allocate((long) panels() * words() * LANES * Integer.BYTES, ALIGNMENT);
    }

    static int segments(int cols, int phase) {
        return Math.ceilDiv(cols + phase, SEGMENT);
    }

    /** Outputs of a product. */
    public int rows() {
        return rows;
    }

    /** Inputs of a product. */
    public int cols() {
        return cols;
    }

    /** Panels of 16 rows. */
    public int panels() {
        return Math.ceilDiv(rows, LANES);
    }

    /** Runs of columns with a scale each. */
    public int segments() {
        return columnAt.length - 1;
    }

    /** First column of {@code segment}; the number of columns for the one past the last. */
    public int column(int segment) {
        return columnAt[segment];
    }

    /** Bytes of the elements, padding included. */
    public long bytes() {
        return data.byteSize();
    }

    /** What {@code rows} rows of x have to be multiplied by before they meet the elements: a power of two. */
    public float inputFactor(int rows) {
        return packing == Packing.E4M3 && rows <= Lanes.FEW_ROWS ? HALF_BIAS : 1;
    }

    /** What scales, and the elements of a block, are multiplied by: a power of two. */
    float scaleFactor() {
        return packing == Packing.E4M3 ? HALF_BIAS : 1;
    }

    Packing packing() {
        return packing;
    }

    /** Words of a row. */
    int words() {
        return wordAt[segments()];
    }

    /** First word of {@code segment} in a row. */
    int word(int segment) {
        return wordAt[segment];
    }

    MemorySegment data() {
        return data;
    }

    /** Byte offset of the first word of a segment of a panel. */
    long offset(int panel, int segment) {
        return ((long) panel * words() + wordAt[segment]) * LANES * Integer.BYTES;
    }

    /** {@code [panels][segments][16]}, or 16 ones. */
    public float[] scales() {
        return scales;
    }

    /** Index of the first of the 16 scales of a segment of a panel. */
    public int scaleAt(int panel, int segment) {
        return scales.length == LANES ? 0 : (panel * segments() + segment) * LANES;
    }

    /** Decodes row {@code r} to {@code out[to ..]}. */
    public void row(int r, float[] out, int to) {
        int panel = r / LANES;
        int lane = r % LANES;
        for (int s = 0; s < segments(); s++) {
            long first = offset(panel, s) + (long) lane * Integer.BYTES;
            float scale = scales[scaleAt(panel, s) + lane] / scaleFactor();
            int n = columnAt[s + 1] - columnAt[s];
            for (int k = 0; k < n; k++) {
                int word = data.get(WORD, first + (long) (k / packing.columns()) * LANES * Integer.BYTES);
                out[to + columnAt[s] + k] = element(word, k % packing.columns()) * scale;
            }
        }
    }

    private float element(int word, int index) {
        return switch (packing) {
            case E4M3 -> E4m3.decode((byte) (word >> (8 * index)));
            case BF16 -> Float.intBitsToFloat(index == 0 ? word << 16 : word & 0xFFFF0000);
            case F32 -> Float.intBitsToFloat(word);
        };
    }
}
