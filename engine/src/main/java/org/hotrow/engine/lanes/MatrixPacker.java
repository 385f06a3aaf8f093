package org.hotrow.engine.lanes;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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

    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int GROUP_BYTES = 4 << 20;
    private static final int ALIGNMENT = 64;
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
        int segments = PackedMatrix.columnAt(cols, phase).length - 1;
        float[] scales = new float[Math.multiplyExact(Math.ceilDiv(rows, LANES) * LANES, segments)];
        PackedMatrix packed = fill(Packing.E4M3, rows, cols, phase, scales, source);
        for (int r = 0; r < rows; r++) {
            for (int s = 0; s < segments; s++) {
                float scale = blockScales.at(r, s) * packed.inputFactor();
                scales[(r / LANES * segments + s) * LANES + r % LANES] = scale;
            }
        }
        return packed;
    }

    private PackedMatrix fill(Packing packing, int rows, int cols, int phase, float[] scales, Source source) {
        int[] columnAt = PackedMatrix.columnAt(cols, phase);
        int[] wordAt = PackedMatrix.wordAt(columnAt, packing);
        long words = wordAt[wordAt.length - 1];
        MemorySegment data = memory.allocate(Math.ceilDiv(rows, LANES) * words * LANES * Integer.BYTES, ALIGNMENT);
        PackedMatrix packed = new PackedMatrix(data, packing, rows, cols, phase, scales);
        int rowBytes = Math.multiplyExact(cols, packing.bytes());
        int most = Math.max(LANES, GROUP_BYTES / rowBytes / LANES * LANES);
        for (int first = 0; first < rows; first += most) {
            int count = Math.min(most, rows - first);
            // A word may be read past the last row.
            int bytes = Math.multiplyExact(count, rowBytes);
            if (group.length < bytes + Integer.BYTES) {
                group = new byte[bytes + Integer.BYTES];
            }
            source.copy(first, count, MemorySegment.ofArray(group).asSlice(0, bytes));
            for (int r = 0; r < count; r++) {
                for (int s = 0; s + 1 < columnAt.length; s++) {
                    int n = columnAt[s + 1] - columnAt[s];
                    packRow(packed, first + r, s, r * rowBytes + columnAt[s] * packing.bytes(), n);
                }
            }
        }
        return packed;
    }

    /** Packs n columns of one row, which lie in the group from byte {@code at} on. */
    private void packRow(PackedMatrix packed, int row, int segment, int at, int n) {
        Packing packing = packed.packing();
        MemorySegment data = packed.data();
        long to = packed.offset(row / LANES, segment) + (long) row % LANES * Integer.BYTES;
        int whole = n / packing.columns();
        for (int w = 0; w < whole; w++) {
            int word = (int) INT.get(group, at + w * Integer.BYTES);
            requireNumbers(packed, row, segment, w, word);
            data.set(PackedMatrix.WORD, to + (long) w * LANES * Integer.BYTES, word);
        }
        int rest = n % packing.columns();
        if (rest > 0) {
            int word = (int) INT.get(group, at + whole * Integer.BYTES) & ((1 << (rest * packing.bytes() * 8)) - 1);
            requireNumbers(packed, row, segment, whole, word);
            data.set(PackedMatrix.WORD, to + (long) whole * LANES * Integer.BYTES, word);
        }
    }

    private static void requireNumbers(PackedMatrix packed, int row, int segment, int w, int word) {
        // A byte of 0x7F or 0xFF carries into its upper bit.
        if (packed.packing() == Packing.E4M3 && (((word & 0x7F7F7F7F) + 0x01010101) & 0x80808080) != 0) {
            int index = 0;
            while (((word >> (8 * index)) & 0x7F) != 0x7F) {
                index++;
            }
            throw new NanException(
                    row, packed.column(segment) + w * packed.packing().columns() + index);
        }
    }
}
