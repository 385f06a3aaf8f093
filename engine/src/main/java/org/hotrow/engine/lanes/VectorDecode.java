package org.hotrow.engine.lanes;

import static jdk.incubator.vector.VectorOperators.ASHR;
import static jdk.incubator.vector.VectorOperators.B2I;
import static jdk.incubator.vector.VectorOperators.EQ;
import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.ZERO_EXTEND_S2I;
import static org.hotrow.engine.lanes.VectorLanes.FLOATS;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * Packed words and stored runs to floats.
 *
 * <pre>
 * e4m3 in a float:   s eeee mmm  ->  s 0000eeee mmm0...0      the value times 2^-120, also where eeee is 0
 * shifted left until s is bit 31, then right by 4 with sign:  s ssss eeee mmm ...; the mask takes the copies away
 * </pre>
 */
final class VectorDecode {
    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
    private static final VectorSpecies<Byte> BYTES = ByteVector.SPECIES_64;
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_128;
    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;
    private static final int MASK = PackedMatrix.MAGNITUDE_AND_SIGN;
    private static final int UPPER = 0xFFFF0000;
    private static final long ROW = Lanes.TILE * Integer.BYTES;
    private static final long HALF = ROW / 2;
    static final float BIAS = 0x1p120f;
    private static final int NAN_CODE = 0x07F00000;

    private VectorDecode() {}

    /** Code {@code c} of each word. */
    private static FloatVector e4m3(IntVector words, int c) {
        return words.lanewise(LSHL, 24 - 8 * c).lanewise(ASHR, 4).and(MASK).reinterpretAsFloats();
    }

    static void e4m3(MemorySegment words, long at, int n, float[] block) {
        int whole = n >> 2;
        for (int w = 0; w < whole; w++) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + w * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + w * ROW + HALF, ORDER);
            for (int c = 0; c < 4; c++) {
                int to = (4 * w + c) * Lanes.TILE;
                e4m3(i, c).mul(PackedMatrix.HALF_BIAS).intoArray(block, to);
                e4m3(j, c).mul(PackedMatrix.HALF_BIAS).intoArray(block, to + 8);
            }
        }
        if (4 * whole < n) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + whole * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + whole * ROW + HALF, ORDER);
            for (int c = 0; c < n - 4 * whole; c++) {
                int to = (4 * whole + c) * Lanes.TILE;
                e4m3(i, c).mul(PackedMatrix.HALF_BIAS).intoArray(block, to);
                e4m3(j, c).mul(PackedMatrix.HALF_BIAS).intoArray(block, to + 8);
            }
        }
    }

    static void bf16(MemorySegment words, long at, int n, float[] block) {
        for (int k = 0; k < n; k += 2) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + (k >> 1) * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + (k >> 1) * ROW + HALF, ORDER);
            int to = k * Lanes.TILE;
            i.lanewise(LSHL, 16).reinterpretAsFloats().intoArray(block, to);
            j.lanewise(LSHL, 16).reinterpretAsFloats().intoArray(block, to + 8);
            if (k + 1 < n) {
                i.and(UPPER).reinterpretAsFloats().intoArray(block, to + 16);
                j.and(UPPER).reinterpretAsFloats().intoArray(block, to + 24);
            }
        }
    }

    static void f32(MemorySegment words, long at, int n, float[] block) {
        for (int k = 0; k < n * Lanes.TILE; k += 8) {
            IntVector.fromMemorySegment(INTS, words, at + 4L * k, ORDER)
                    .reinterpretAsFloats()
                    .intoArray(block, k);
        }
    }

    static void e4m3Tile(
            MemorySegment words, long at, int n, float[] x, int xi, float[] scale, int si, float[] out, int oi) {
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        int whole = n >> 2;
        for (int w = 0; w < whole; w++) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + w * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + w * ROW + HALF, ORDER);
            for (int c = 0; c < 4; c++) {
                FloatVector v = FloatVector.broadcast(FLOATS, x[xi + 4 * w + c]);
                a = e4m3(i, c).fma(v, a);
                b = e4m3(j, c).fma(v, b);
            }
        }
        if (4 * whole < n) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + whole * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + whole * ROW + HALF, ORDER);
            for (int c = 0; c < n - 4 * whole; c++) {
                FloatVector v = FloatVector.broadcast(FLOATS, x[xi + 4 * whole + c]);
                a = e4m3(i, c).fma(v, a);
                b = e4m3(j, c).fma(v, b);
            }
        }
        store(a, b, scale, si, out, oi);
    }

    /** {@link #e4m3Tile} for two rows of x, {@code xStride} apart, to {@code out[oi ..]} and {@code out[oi + 16 ..]}. */
    static void e4m3Tiles(
            MemorySegment words,
            long at,
            int n,
            float[] x,
            int xi,
            int xStride,
            float[] scale,
            int si,
            float[] out,
            int oi) {
        FloatVector a0 = FloatVector.zero(FLOATS), b0 = a0, a1 = a0, b1 = a0;
        int x1 = xi + xStride;
        int whole = n >> 2;
        for (int w = 0; w < whole; w++) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + w * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + w * ROW + HALF, ORDER);
            for (int c = 0; c < 4; c++) {
                FloatVector a = e4m3(i, c);
                FloatVector b = e4m3(j, c);
                FloatVector v = FloatVector.broadcast(FLOATS, x[xi + 4 * w + c]);
                a0 = a.fma(v, a0);
                b0 = b.fma(v, b0);
                v = FloatVector.broadcast(FLOATS, x[x1 + 4 * w + c]);
                a1 = a.fma(v, a1);
                b1 = b.fma(v, b1);
            }
        }
        if (4 * whole < n) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + whole * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + whole * ROW + HALF, ORDER);
            for (int c = 0; c < n - 4 * whole; c++) {
                FloatVector a = e4m3(i, c);
                FloatVector b = e4m3(j, c);
                FloatVector v = FloatVector.broadcast(FLOATS, x[xi + 4 * whole + c]);
                a0 = a.fma(v, a0);
                b0 = b.fma(v, b0);
                v = FloatVector.broadcast(FLOATS, x[x1 + 4 * whole + c]);
                a1 = a.fma(v, a1);
                b1 = b.fma(v, b1);
            }
        }
        store(a0, b0, scale, si, out, oi);
        store(a1, b1, scale, si, out, oi + Lanes.TILE);
    }

    static void bf16Tile(
            MemorySegment words, long at, int n, float[] x, int xi, float[] scale, int si, float[] out, int oi) {
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        int k = 0;
        for (; k < n - 1; k += 2) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + (k >> 1) * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + (k >> 1) * ROW + HALF, ORDER);
            FloatVector v = FloatVector.broadcast(FLOATS, x[xi + k]);
            a = i.lanewise(LSHL, 16).reinterpretAsFloats().fma(v, a);
            b = j.lanewise(LSHL, 16).reinterpretAsFloats().fma(v, b);
            v = FloatVector.broadcast(FLOATS, x[xi + k + 1]);
            a = i.and(UPPER).reinterpretAsFloats().fma(v, a);
            b = j.and(UPPER).reinterpretAsFloats().fma(v, b);
        }
        if (k < n) {
            IntVector i = IntVector.fromMemorySegment(INTS, words, at + (k >> 1) * ROW, ORDER);
            IntVector j = IntVector.fromMemorySegment(INTS, words, at + (k >> 1) * ROW + HALF, ORDER);
            FloatVector v = FloatVector.broadcast(FLOATS, x[xi + k]);
            a = i.lanewise(LSHL, 16).reinterpretAsFloats().fma(v, a);
            b = j.lanewise(LSHL, 16).reinterpretAsFloats().fma(v, b);
        }
        store(a, b, scale, si, out, oi);
    }

    static void f32Tile(
            MemorySegment words, long at, int n, float[] x, int xi, float[] scale, int si, float[] out, int oi) {
        FloatVector a = FloatVector.zero(FLOATS);
        FloatVector b = a;
        for (int k = 0; k < n; k++) {
            FloatVector v = FloatVector.broadcast(FLOATS, x[xi + k]);
            a = FloatVector.fromMemorySegment(FLOATS, words, at + k * ROW, ORDER)
                    .fma(v, a);
            b = FloatVector.fromMemorySegment(FLOATS, words, at + k * ROW + HALF, ORDER)
                    .fma(v, b);
        }
        store(a, b, scale, si, out, oi);
    }

    /** The end of a fused tile: {@code out = fma(p, scale, out)} for its 16 outputs. */
    private static void store(FloatVector a, FloatVector b, float[] scale, int si, float[] out, int oi) {
        a.fma(FloatVector.fromArray(FLOATS, scale, si), FloatVector.fromArray(FLOATS, out, oi))
                .intoArray(out, oi);
        b.fma(FloatVector.fromArray(FLOATS, scale, si + 8), FloatVector.fromArray(FLOATS, out, oi + 8))
                .intoArray(out, oi + 8);
    }

    /** A stored run, n a multiple of 8, times {@code scale * 2^120}; whether no code of it is NaN. */
    static boolean e4m3Run(MemorySegment from, long offset, int n, float scale, float[] out, int to) {
        IntVector largest = IntVector.zero(INTS);
        for (int i = 0; i < n; i += 8) {
            IntVector code = (IntVector)
                    ByteVector.fromMemorySegment(BYTES, from, offset + i, ORDER).convertShape(B2I, INTS, 0);
            IntVector bits = code.lanewise(LSHL, 20).and(MASK);
            bits.reinterpretAsFloats().mul(scale).intoArray(out, to + i);
            largest = largest.max(bits.and(NAN_CODE));
        }
        return !largest.compare(EQ, NAN_CODE).anyTrue();
    }

    /** A stored run, n a multiple of 8. */
    static void bf16Run(MemorySegment from, long offset, int n, float[] out, int to) {
        for (int i = 0; i < n; i += 8) {
            IntVector code = (IntVector) ShortVector.fromMemorySegment(SHORTS, from, offset + 2L * i, ORDER)
                    .convertShape(ZERO_EXTEND_S2I, INTS, 0);
            code.lanewise(LSHL, 16).reinterpretAsFloats().intoArray(out, to + i);
        }
    }
}
