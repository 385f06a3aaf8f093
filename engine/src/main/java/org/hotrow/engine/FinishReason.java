package org.hotrow.engine;

import java.util.Locale;

/** Why a completion ended. */
public enum FinishReason {
    /** The model said a stop id. */
    STOP,
    /** The token limit or the context was reached. */
    LENGTH,
    /** The caller ended it. */
    CANCELLED,
    /** It failed. */
    ERROR;

    /** The word on the outside. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
