package org.hotrow.engine;

import org.hotrow.allocator.KvPolicy;

/**
 * A cache as it was laid out.
 *
 * @param policy what happens when blocks run out
 * @param format of rows and index keys
 * @param blocks blocks of the device, the null block included
 * @param deviceBytes all of them
 * @param hotRows rows of a request's hot region
 * @param hostPages pages of the host pool; 0 without one
 * @param hostBytes all of them
 */
public record CacheReport(
        KvPolicy policy,
        CacheFormat format,
        int blocks,
        long deviceBytes,
        int hotRows,
        int hostPages,
        long hostBytes) {}
