package org.hotrow.emulator;

import java.util.List;

/** What the 32 lanes of a warp do together: each brings its part, then all get their results. */
abstract sealed class WarpOperation permits Shuffle, MatrixMultiply, Convergence {
    /** Kind and uniform operands; lanes of a warp must agree. */
    abstract Object agreement();

    /** Gives every lane its result; the lanes are those of {@code this}'s warp, of one agreement. */
    abstract void exchange(List<WarpOperation> lanes);
}
