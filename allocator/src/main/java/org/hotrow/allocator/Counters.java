package org.hotrow.allocator;

/**
 * What an allocator has done so far.
 *
 * @param spilledPages device pages whose block was taken by another owner while a request could read it
 * @param bytesWrittenBack bytes of completed copies to the host, rows and index keys
 * @param peakDeviceBlocks most blocks that were pinned or readable at once
 * @param prefixHitPages pages that new requests found published
 */
public record Counters(long spilledPages, long bytesWrittenBack, long peakDeviceBlocks, long prefixHitPages) {}
