package org.hotrow.allocator;

/** Where the pages of a request are, on the whole. */
public enum ResidencyState {
    /** All pages are on the device and stay there; no hot region. */
    FULL,
    /** A hot region stands by: some pages before the last two may be lost or are, others are readable. */
    MIXED,
    /** Of the pages before the last two none is left on the device. */
    HOST_ONLY_PREFIX
}
