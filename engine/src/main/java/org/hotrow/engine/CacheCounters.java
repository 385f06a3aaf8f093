package org.hotrow.engine;

/**
 * What a cache has done so far.
 *
 * @param hotLookups selected valid positions whose page was not on the device, counted once per unit
 * @param hotHits those among them that needed no row from the host
 * @param hostRowsRead rows that were read from the host because of the others: misses times layers of the unit
 * @param hostBytesRead the same in bytes
 * @param bytesRestored bytes of rows and index keys that came back from the host as whole pages
 * @param bytesImported bytes of rows and index keys that came from files, to the device or to the host
 * @param spilledPages device pages whose block was taken by another owner while the request that had them lived
 * @param bytesWrittenBack bytes of rows and index keys copied to the host
 * @param peakDeviceBlocks most blocks that were pinned or readable at once
 */
public record CacheCounters(
        long hotLookups,
        long hotHits,
        long hostRowsRead,
        long hostBytesRead,
        long bytesRestored,
        long bytesImported,
        long spilledPages,
        long bytesWrittenBack,
        long peakDeviceBlocks) {
    /** Nothing done. */
    public static final CacheCounters ZERO = new CacheCounters(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** What was done since {@code before}; the peak stays that of all the time. */
    public CacheCounters since(CacheCounters before) {
        return new CacheCounters(
                hotLookups - before.hotLookups,
                hotHits - before.hotHits,
                hostRowsRead - before.hostRowsRead,
                hostBytesRead - before.hostBytesRead,
                bytesRestored - before.bytesRestored,
                bytesImported - before.bytesImported,
                spilledPages - before.spilledPages,
                bytesWrittenBack - before.bytesWrittenBack,
                peakDeviceBlocks);
    }
}
