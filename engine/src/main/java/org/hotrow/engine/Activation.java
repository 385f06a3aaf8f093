package org.hotrow.engine;

/** A device buffer of f32, one row per row of the step: {@code [rows, width]}. Belongs to the {@link Ops} that made it. */
public interface Activation {
    /** Elements of one row. */
    int width();

    /** The same memory seen through columns {@code from .. from + width - 1} of each row. */
    Activation columns(int from, int width);
}
