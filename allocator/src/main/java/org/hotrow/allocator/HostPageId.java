package org.hotrow.allocator;

/**
 * A page of the host pool: 64 tokens of rows in every layer and of index keys in every anchor. It is no {@link BlockId}:
 * the two number different memories.
 *
 * @param value number in the host pool, 0 or more; page 0 is null
 */
public record HostPageId(int value) {
    public HostPageId {
        if (value < 0) {
            throw new IllegalArgumentException("host page id " + value + " is negative");
        }
    }
}
