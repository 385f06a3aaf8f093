package org.hotrow.kernels;

/** Which rows of a hot region make room for others. */
public enum Replacement {
    /** The least recently used. */
    LRU,
    /** Those whose index scores, smoothed over the steps, are lowest; of equal ones the least recently used. */
    SCORE
}
