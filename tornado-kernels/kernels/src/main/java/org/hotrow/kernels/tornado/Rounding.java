package org.hotrow.kernels.tornado;

/** Rounding in kernels, which have no rint. */
final class Rounding {
    private Rounding() {}

    /** The int nearest to a value of 0 or more, the even one of two. */
    static int halfEven(float value) {
        int below = (int) value;
        float rest = value - below;
        int up = 0;
        if (rest > 0.5f) {
            up = 1;
        }
        if (rest == 0.5f) {
            up = below & 1;
        }
        return below + up;
    }
}
