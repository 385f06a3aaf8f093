package org.hotrow.engine.lanes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Packs matrices: takes rows as a file has them, in groups of whole panels. An instance keeps the room for a group. */
public final class MatrixPacker {
    /** The elements of a matrix, row-major, little endian. */
    @FunctionalInterface
    public interface Source {
        /** Copies rows {@code first} to {@code first + count - 1} to {@code to}, which has just their size. */
        void copy(int first, int count, MemorySegment to);
    }

    /** The scale of an element, by row and segment of its column. */
    @FunctionalInterface
    public interface Scales {
        /** Above zero, finite. */
        float at(int row, int segment);
    }

    /** A code that is no number. */
    public static final class NanException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        /** Where in the matrix that was packed. */
        public final int row;

        /** Where in the matrix that was packed. */
        public final int col;

        NanException(int row, int col) {
            super("NaN at [" + row + ", " + col + "]");
            this.row = row;
            this.col = col;
        }
    }

    private static final int GROUP_BYTES = 4 << 20;
    private static final int LANES = PackedMatrix.LANES;

    private final SegmentAllocator memory;
    private byte[] group = {};

    /** @param memory what packed matrices take their room from */
    public MatrixPacker(SegmentAllocator memory) {
        this.memory = memory;
    }

    /** Packs a matrix without scales. */
    public PackedMatrix pack(Packing packing, int rows, int cols, Source source) {
        float[] ones = new float[LANES];
        Arrays.fill(ones, 1);
        return fill(packing, rows, cols, 0, ones, source);
    }

    /**
     * Packs a scaled matrix of e4m3 codes.
     *
     * @param phase how far into a block of 128 the first column is
     * @throws NanException if a code is NaN
     */
    public PackedMatrix packE4m3(int rows, int cols, int phase, Scales blockScales, Source source) {
        int segments = PackedMatrix.segments(cols, phase);
        float[] scales = new float[Math.multiplyExact(Math.ceilDiv(rows, LANES) * LANES, segments)];
        PackedMatrix packed = fill(Packing.E4M3, rows, cols, phase, scales, source);
        for (int r = 0; r < rows; r++) {
            for (int s = 0; s < segments; s++) {
                float scale = blockScales.at(r, s) * packed.scaleFactor();
                scales[(r / LANES * segments + s) * LANES + r % LANES] = scale;
            }
        }
        return packed;
    }

    private PackedMatrix fill(Packing packing, int rows, int cols, int phase, float[] scales, Source source) {
        PackedMatrix packed = new PackedMatrix(memory, packing, rows, cols, phase, scales);
        int rowBytes = Math.multiplyExact(cols, packing.bytes());
        int most = Math.max(LANES, GROUP_BYTES / rowBytes / LANES * LANES);
        int[] panel = new int[Math.multiplyExact(packed.words(), LANES)];
        int[] row = new int[PackedMatrix.SEGMENT];
        for (int first = 0; first < rows; first += most) {
            int count = Math.min(most, rows - first);
            MemorySegment group = group(Math.multiplyExact(count, rowBytes));
            source.copy(first, count, group);
            for (int r = 0; r < count; r++) {
                for (int s = 0; s < packed.segments(); s++) {
                    int column = packed.column(s);
                    int n = packed.column(s + 1) - column;
                    load(group, (long) r * rowBytes + (long) column * packing.bytes(), n, packing, row);
                    int used = Math.ceilDiv(n, packing.columns());
                    if (packing == Packing.E4M3) {
                        requireNumbers(row, used, first + r, column);
                    }
                    interleave(row, used, panel, packed.word(s) * LANES + r % LANES);
                }
                if (r % LANES == LANES - 1 || first + r == rows - 1) {
                    long at = packed.offset((first + r) / LANES, 0);
                    MemorySegment.copy(panel, 0, packed.data(), PackedMatrix.WORD, at, panel.length);
                    Arrays.fill(panel, 0);
                }
            }
        }
        return packed;
    }

    private MemorySegment group(int bytes) {
        if (group.length < bytes) {
            group = new byte[bytes];
        }
        return MemorySegment.ofArray(group).asSlice(0, bytes);
    }

    /** Loads n elements as words; what is left of the last is zero. */
    private static void load(MemorySegment group, long at, int n, Packing packing, int[] row) {
        int whole = n / packing.columns();
        MemorySegment.copy(group, PackedMatrix.WORD, at, row, 0, whole);
        int rest = n % packing.columns() * packing.bytes();
        if (rest > 0) {
            row[whole] = 0;
        }
        for (int b = 0; b < rest; b++) {
            int value = Byte.toUnsignedInt(group.get(ValueLayout.JAVA_BYTE, at + (long) whole * Integer.BYTES + b));
            row[whole] |= value << (8 * b);
        }
    }

    private static void interleave(int[] row, int count, int[] panel, int at) {
        for (int w = 0; w < count; w++) {
            panel[at + w * LANES] = row[w];
        }
    }

    private static void requireNumbers(int[] words, int count, int row, int column) {
        for (int w = 0; w < count; w++) {
            // A byte of 0x7F or 0xFF carries into its upper bit.
            if ((((words[w] & 0x7F7F7F7F) + 0x01010101) & 0x80808080) != 0) {
                int index = 0;
                while (((words[w] >> (8 * index)) & 0x7F) != 0x7F) {
                    index++;
                }
                throw new NanException(row, column + w * Packing.E4M3.columns() + index);
            }
        }
    }
}
