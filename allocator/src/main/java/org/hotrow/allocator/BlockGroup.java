package org.hotrow.allocator;

/** What a taken block of the pool holds. Any free block can become any of them. */
public enum BlockGroup {
    /** Rows of one page of a request, or of several requests that share a prefix. */
    ROWS,
    /** Index pages of a request. */
    INDEX,
    /** Part of a request's hot region. */
    HOT,
    /** Rows gathered for one prefill step, beside the hot region. */
    STAGING
}
