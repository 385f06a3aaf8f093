package org.hotrow.engine;

/** A device buffer of ints, one list per row of the step: {@code [rows, width]}. Belongs to the {@link Ops} that made it. */
public interface IntRows {
    /** Entries of one list. */
    int width();
}
