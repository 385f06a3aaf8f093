package org.hotrow.kernels.tornado;

/** Two bf16 numbers in an int, the second in the upper half: what matrix units take. */
final class Bf16Pair {
    private static final int NAN = 0x7FC0;

    private Bf16Pair() {}

    /** Of two floats' bits. */
    static int round(int first, int second) {
        return (round(first) & 0xFFFF) | round(second) << 16;
    }

    /** Two bf16 numbers times two to a power that leaves them such. */
    static int scaled(int first, int second, int exponent) {
        return scaled(first, exponent) | (scaled(second, exponent) << 16);
    }

    /** Ties to even. */
    private static int round(int bits) {
        int rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
        // A carry would make a number of the NaN of all ones, which is the one that GPUs compute.
        if ((bits & Integer.MAX_VALUE) > 0x7F800000) {
            rounded = NAN;
        }
        return rounded;
    }

    /** Zero and what isn't finite stay. */
    private static int scaled(int bf16, int exponent) {
        int magnitude = bf16 & 0x7FFF;
        int scaled = bf16;
        if (magnitude > 0 && magnitude < 0x7F80) {
            scaled = bf16 + exponent * 128;
        }
        return scaled;
    }
}
