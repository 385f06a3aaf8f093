package org.hotrow.allocator;

import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * The memory of the host pages, in chunks that hold whole pages, so that a copy never spans two registrations.
 *
 * <pre>
 * chunk   [pages per chunk][host page]
 * page    [layers][64][row bytes], then [anchors][index page bytes]
 * </pre>
 *
 * Rows and index keys are the device's byte for byte. Page 0 is null; its bytes are there and nobody reads them.
 *
 * <p>The owner thread opens and closes it; copies are counted by whoever makes them.
 */
public final class HostPool implements AutoCloseable {
    /** What a device array of longs can index. */
    private static final long LARGEST_CHUNK = ((1L << 31) - 32) * Long.BYTES;

    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(60);

    private final HostMemory memory;
    private final KvGeometry geometry;
    private final int pages;
    private final int pagesPerChunk;
    private final LongSupplier nanoTime;
    private final List<MemorySegment> chunks = new ArrayList<>();
    private final AtomicInteger copies = new AtomicInteger();
    private boolean closed;

    private HostPool(HostMemory memory, KvGeometry geometry, int pages, int pagesPerChunk, LongSupplier nanoTime) {
        this.memory = memory;
        this.geometry = geometry;
        this.pages = pages;
        this.pagesPerChunk = pagesPerChunk;
        this.nanoTime = nanoTime;
    }

    /** Pages of a pool in so many bytes, without the null page; 0 or less if there is no room for one. */
    public static long pages(KvGeometry geometry, long bytes) {
        return bytes / geometry.hostPageBytes() - 1;
    }

    /**
     * A pool of {@code pages} pages beside the null page. If a chunk can't be had, those before it are given back.
     *
     * @throws HostMemoryException if the pool takes more than 95 % of the memory that is left, or memory fails
     */
    public static HostPool open(HostMemory memory, KvGeometry geometry, int pages) {
        return open(memory, geometry, pages, LARGEST_CHUNK, System::nanoTime);
    }

    static HostPool open(HostMemory memory, KvGeometry geometry, int pages, long chunkBytes, LongSupplier nanoTime) {
        long pageBytes = geometry.hostPageBytes();
        long bytes = Math.multiplyExact(pages + 1L, pageBytes);
        long available = memory.available();
        if (pages < 1 || bytes > available / 100 * 95) {
            throw new HostMemoryException("host pool of " + pages + " pages takes " + bytes
                    + " bytes: expected at least 1 page and at most 95 % of the " + available
                    + " bytes that are available; choose a pool of at most "
                    + pages(geometry, available / 100 * 95) + " pages");
        }
        if (pageBytes > chunkBytes) {
            throw new HostMemoryException(
                    "a host page of " + pageBytes + " bytes is larger than a chunk of " + chunkBytes + " bytes");
        }
        int perChunk = (int) Math.min(pages + 1L, chunkBytes / pageBytes);
        HostPool pool = new HostPool(memory, geometry, pages, perChunk, nanoTime);
        try {
            for (long page = 0; page <= pages; page += perChunk) {
                pool.chunks.add(memory.allocate(Math.min(perChunk, pages + 1L - page) * pageBytes));
            }
        } catch (RuntimeException | Error e) {
            try {
                pool.close();
            } catch (HostMemoryException alsoFailed) {
                e.addSuppressed(alsoFailed);
            }
            throw e;
        }
        return pool;
    }

    /** Pages, the null page not counted. */
    public int pages() {
        return pages;
    }

    /** The memory: chunk after chunk of {@link #pagesPerChunk} pages, the last one of fewer. */
    public List<MemorySegment> chunks() {
        return List.copyOf(chunks);
    }

    /** Pages of a chunk, the null page counted. */
    public int pagesPerChunk() {
        return pagesPerChunk;
    }

    /** Bytes from a page to the next. */
    public long pageBytes() {
        return geometry.hostPageBytes();
    }

    /** The bytes of a page: rows of all layers, then index pages of all anchors. */
    public MemorySegment page(HostPageId page) {
        int number = Objects.checkIndex(page.value(), pages + 1);
        if (closed) {
            throw new IllegalStateException("the host pool is closed");
        }
        long pageBytes = geometry.hostPageBytes();
        return chunks.get(number / pagesPerChunk).asSlice(number % pagesPerChunk * pageBytes, pageBytes);
    }

    /** The 64 rows of one layer of a page. */
    public MemorySegment rows(HostPageId page, int layer) {
        long bytes = (long) Block.TOKENS * geometry.rowBytes();
        return page(page).asSlice(Objects.checkIndex(layer, geometry.layers()) * bytes, bytes);
    }

    /** The index page of an anchor of a page. */
    public MemorySegment keys(HostPageId page, int anchorLayer) {
        long rows = (long) geometry.layers() * Block.TOKENS * geometry.rowBytes();
        long at = rows + (long) geometry.anchorNumber(anchorLayer) * geometry.indexPageBytes();
        return page(page).asSlice(at, geometry.indexPageBytes());
    }

    /** A copy to or from a page begins; the pool stays open until it ends. Any thread may. */
    public void copyStarted() {
        copies.incrementAndGet();
    }

    /** A copy has ended, one way or the other. Any thread may. */
    public void copyEnded() {
        if (copies.decrementAndGet() < 0) {
            throw new IllegalStateException("more copies ended than started");
        }
    }

    /**
     * Gives the memory back. It waits for nothing, and begins no further chunk after a minute; what is left is given back
     * when it is closed again. Closing a closed pool does nothing.
     *
     * @throws IllegalStateException if copies are in flight; nothing has changed then
     * @throws HostMemoryException if chunks are left
     */
    @Override
    public void close() {
        if (copies.get() != 0) {
            throw new IllegalStateException(
                    copies.get() + " copies of the host pool are in flight; wait for them before closing it");
        }
        closed = true;
        long start = nanoTime.getAsLong();
        int all = chunks.size();
        List<HostMemoryException> failures = new ArrayList<>();
        List<MemorySegment> left = new ArrayList<>();
        for (MemorySegment chunk : chunks) {
            if (nanoTime.getAsLong() - start > CLOSE_LIMIT.toNanos()) {
                left.add(chunk);
                continue;
            }
            try {
                memory.release(chunk);
            } catch (HostMemoryException e) {
                left.add(chunk);
                failures.add(e);
            }
        }
        chunks.clear();
        chunks.addAll(left);
        if (!left.isEmpty()) {
            var unfinished = new HostMemoryException(
                    left.size() + " of " + all + " chunks of the host pool are not given back; close it again");
            failures.forEach(unfinished::addSuppressed);
            throw unfinished;
        }
    }
}
