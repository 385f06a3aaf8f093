package org.hotrow.kernels;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Loads the missed rows of one layer, byte for byte.
 *
 * <pre>
 * for each miss m:  slab[at(row[m])] = host[at(hostRow[m])]      at(r) = (r / 64) * blockBytes + layerAt + (r % 64) * rowBytes
 * </pre>
 *
 * Floor: row bytes read from the host and written to the device, per miss and layer.
 */
public final class Gather {
    private static final int PAGE = 64;

    /**
     * Where the rows of one layer lie.
     *
     * @param blockBytes from a block to the next
     * @param layerAt where the layer begins in a block
     */
    public record Layout(long blockBytes, long layerAt, int rowBytes) {
        long at(int row) {
            return row / PAGE * blockBytes + layerAt + (long) (row % PAGE) * rowBytes;
        }
    }

    private Gather() {}

    /**
     * Loads the misses {@code from} to before {@code to}.
     *
     * @param host chunks of {@code pagesPerChunk} host pages each
     */
    public static void rows(
            Misses misses,
            int from,
            int to,
            List<MemorySegment> host,
            int pagesPerChunk,
            Layout hostLayout,
            MemorySegment slab,
            Layout slabLayout) {
        int rowsPerChunk = Math.multiplyExact(pagesPerChunk, PAGE);
        for (int m = from; m < to; m++) {
            int hostRow = misses.hostRow[m];
            MemorySegment chunk = host.get(hostRow / rowsPerChunk);
            MemorySegment.copy(
                    chunk,
                    hostLayout.at(hostRow % rowsPerChunk),
                    slab,
                    slabLayout.at(misses.row[m]),
                    slabLayout.rowBytes());
        }
    }
}
