package org.hotrow.emulator;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A kernel did what it would get away with, or not, on a device; the message names work-items and source lines. */
public final class KernelFault extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** What went wrong. */
    public enum Kind {
        /** An index outside of the array. */
        OUT_OF_BOUNDS,
        /** A read of what nobody wrote. */
        UNINITIALISED,
        /** Two work-items of a group touch an element, one of them writes, and no barrier is between. */
        RACE,
        /** Work-items of two groups touch an element of device memory, and not both by atomic operations. */
        RACE_BETWEEN_GROUPS,
        /** Some work-items of a group wait at a barrier that others will not reach. */
        DIVERGENT_BARRIER,
        /** Some lanes of a warp wait for lanes that do something else. */
        DIVERGENT_WARP,
        /** Work-items of a group disagree about their local arrays, or these are larger than 48 KB. */
        LOCAL_MEMORY,
        /** The kernel threw an exception. */
        FAILED;

        private String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }

    private final Kind kind;

    KernelFault(Kind kind, String kernel, String what) {
        this(kind, kernel, what, null);
    }

    KernelFault(Kind kind, String kernel, String what, @Nullable Throwable cause) {
        super(kind.words() + " in kernel " + kernel + what, cause);
        this.kind = kind;
    }

    /** What went wrong. */
    public Kind kind() {
        return kind;
    }
}
