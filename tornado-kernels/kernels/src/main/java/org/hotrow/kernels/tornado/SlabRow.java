package org.hotrow.kernels.tornado;

import org.hotrow.kernels.KvDtype;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * A sparse-MLA row in a slab, as {@link org.hotrow.kernels.RowFormat} draws it, read by kernels a long at a time.
 *
 * <pre>
 * slab        [blocks][layers in slab][64][row]
 * bits = 8    longs 0..63 e4m3, 64..65 four scales (powers of two), 66..81 rope in bf16
 *       16    bf16, four in a long
 *       32    f32, two in a long
 * </pre>
 */
final class SlabRow {
    /** Entries of the array that tells a kernel the place of a layer in its slab. */
    static final int LAYER_IN_SLAB = 0;

    static final int LAYERS_IN_SLAB = 1;

    /** Scales of a row in fp8, each of 128 values. */
    static final int SCALES = 4;

    private static final int FP8_LATENT = 512;
    private static final int FP8_SCALES = 64;
    private static final int FP8_ROPE = 66;

    private SlabRow() {}

    /** Bits of a latent value. */
    static int bits(KvDtype dtype) {
        return switch (dtype) {
            case FP8 -> 8;
            case BF16 -> 16;
            case FP32 -> 32;
        };
    }

    /** Longs of a row of {@code width} values. */
    static int longs(int bits, int width) {
        return bits == 8 ? 82 : width * bits / Long.SIZE;
    }

    /** Where the row of a layer begins. */
    static int at(int row, int layerInSlab, int layersInSlab, int rowLongs) {
        return ((row / 64 * layersInSlab + layerInSlab) * 64 + row % 64) * rowLongs;
    }

    /** Value i of the row, latent or rope. */
    static float value(LongArray slab, int at, int i, int bits, FloatArray codes, FloatArray exponents) {
        float value = 0f;
        if (bits == 8 && i >= FP8_LATENT) {
            value = bf16(slab.get(at + FP8_ROPE + (i - FP8_LATENT) / 4), i, exponents);
        } else {
            value = latent(slab, at, i, bits, codes, exponents);
        }
        return value;
    }

    /** Value i of the row, which is one of the latent; in bf16 and f32 any. */
    static float latent(LongArray slab, int at, int i, int bits, FloatArray codes, FloatArray exponents) {
        float value = 0f;
        if (bits == 8) {
            long scales = slab.get(at + FP8_SCALES + i / 256);
            int exponent = (int) (scales >> (32 * (i / 128 % 2) + 23)) & 0xFF;
            value = Fp8Codes.decode(codes, slab.get(at + i / 8), 8 * (i % 8), 0) * exponents.get(exponent);
        }
        if (bits == 16) {
            value = bf16(slab.get(at + i / 4), i, exponents);
        }
        if (bits == 32) {
            value = f32(slab.get(at + i / 2), i, exponents);
        }
        return value;
    }

    /** Exponent bits of scale {@code n} of a row in fp8; 0 if the row is none, {@code at} below 0. */
    static int scale(LongArray slab, int at, int n) {
        int exponent = 0;
        if (at >= 0) {
            exponent = (int) (slab.get(at + FP8_SCALES + n / 2) >> (32 * (n % 2) + 23)) & 0xFF;
        }
        return exponent;
    }

    /** Bits of the values in long {@code l} of a row. */
    static int size(int bits, int l) {
        int size = bits;
        if (bits == 8 && l >= FP8_SCALES) {
            size = 16;
        }
        return size;
    }

    /** The long of a row that has value {@code i}. */
    static int longOf(int bits, int i) {
        int l = i / (Long.SIZE / bits);
        if (bits == 8 && i >= FP8_LATENT) {
            l = FP8_ROPE + (i - FP8_LATENT) / 4;
        }
        return l;
    }

    /** The first value in long {@code l} of a row. */
    static int first(int bits, int l) {
        int first = l * (Long.SIZE / bits);
        if (bits == 8 && l >= FP8_ROPE) {
            first = FP8_LATENT + (l - FP8_ROPE) * 4;
        }
        return first;
    }

    /** How many values are in long {@code l} of a row: none where the scales are. */
    static int values(int bits, int l) {
        int values = Long.SIZE / size(bits, l);
        if (bits == 8 && l >= FP8_SCALES && l < FP8_ROPE) {
            values = 0;
        }
        return values;
    }

    /** The factor of {@code 2^(exponent - 127)} in the value whose bits are the lower 16 or all 32 of a code. */
    static float significand(int code, int size) {
        int shift = size == 16 ? 16 : 0;
        int word = code << shift;
        int mantissa = word & 0x7FFFFF;
        float significand = mantissa * 0x1p-23f;
        if (exponent(code, size) > 0) {
            significand += 1f;
        }
        // By which infinity becomes NaN.
        if (exponent(code, size) == 255 && mantissa > 0) {
            significand = 0f;
        }
        if (word < 0) {
            significand = -significand;
        }
        return significand;
    }

    /** Exponent bits of such a code. */
    static int exponent(int code, int size) {
        return (code >> (size == 16 ? 7 : 23)) & 0xFF;
    }

    /** The value that is number {@code i % 4} of a long. */
    static float bf16(long word, int i, FloatArray exponents) {
        return Exponents.decodeBf16(exponents, (int) (word >> (16 * (i % 4))));
    }

    /** The value that is number {@code i % 2} of a long. */
    static float f32(long word, int i, FloatArray exponents) {
        return Exponents.decode(exponents, (int) (word >> (32 * (i % 2))));
    }
}
