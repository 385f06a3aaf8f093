package org.hotrow.allocator;

import org.eclipse.collections.api.list.primitive.IntList;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.eclipse.collections.impl.map.mutable.primitive.ObjectIntHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What later requests can find: the published host pages by the hash of their prefix, and the device blocks that still
 * hold the same bytes.
 *
 * <pre>
 * hash ---- host page ---- device block of its rows
 *                    \---- index block, which holds its keys in page (page of the request) mod (pages per block)
 * </pre>
 *
 * A host page holds rows and index keys alike, and is published when both are complete and all pages before it are. So
 * a hit, which is a contiguous run of published pages from the first one on, always has both.
 */
final class PrefixCache {
    private final int pagesPerIndexBlock;
    private final ObjectIntHashMap<PageHash> pageOf = new ObjectIntHashMap<>();
    /** By host page. */
    private final @Nullable PageHash[] hashOf;

    private final int[] rowBlock;
    private final int[] indexBlock;
    /** By device block: the host page whose rows it holds. */
    private final int[] rowsOf;
    /** By device block: the host pages whose index keys it holds, by page in the block. */
    private final int[] @Nullable [] keysOf;

    PrefixCache(int hostTotal, int deviceTotal, int pagesPerIndexBlock) {
        this.pagesPerIndexBlock = pagesPerIndexBlock;
        hashOf = new PageHash[hostTotal];
        rowBlock = new int[hostTotal];
        indexBlock = new int[hostTotal];
        rowsOf = new int[deviceTotal];
        keysOf = new int[deviceTotal][];
    }

    /** Host pages of the longest published prefix of at most {@code maxPages} pages. */
    IntArrayList find(KvRequest request, int maxPages) {
        IntArrayList pages = new IntArrayList();
        while (pages.size() < maxPages) {
            int page = pageOf.getIfAbsent(request.hash(pages.size()), 0);
            if (page == 0) {
                break;
            }
            pages.add(page);
        }
        return pages;
    }

    /** Publishes a host page; false if another page with the same content is. */
    boolean publish(PageHash hash, int hostPage) {
        if (pageOf.containsKey(hash)) {
            return false;
        }
        pageOf.put(hash, hostPage);
        hashOf[hostPage] = hash;
        return true;
    }

    boolean isPublished(int hostPage) {
        return hashOf[hostPage] != null;
    }

    /** The device block that holds a page's rows, or 0. */
    int rowBlock(int hostPage) {
        return rowBlock[hostPage];
    }

    /** The index block that holds a page's keys, or 0. */
    int indexBlock(int hostPage) {
        return indexBlock[hostPage];
    }

    /** The index block that holds the keys of all {@code count} pages of a hit from {@code from} on, or 0. */
    int fullIndexBlock(IntList hit, int from, int count) {
        if (from + count > hit.size()) {
            return 0;
        }
        int block = indexBlock[hit.get(from)];
        for (int page = from + 1; page < from + count; page++) {
            if (indexBlock[hit.get(page)] != block) {
                return 0;
            }
        }
        return block;
    }

    /** Whether a later request may find bytes in a device block. */
    boolean wants(int block) {
        if (rowsOf[block] != 0) {
            return true;
        }
        int[] keys = keysOf[block];
        if (keys != null) {
            for (int hostPage : keys) {
                if (hostPage != 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /** The rows of a published page are in {@code block} too; the first such block stays the one that is found. */
    void linkRows(int hostPage, int block) {
        if (rowBlock[hostPage] == 0 && rowsOf[block] == 0) {
            rowBlock[hostPage] = block;
            rowsOf[block] = hostPage;
        }
    }

    /** The keys of a published page, number {@code page} in its request, are in an index block too. */
    void linkKeys(int hostPage, int page, int block) {
        int[] keys = keysOf[block];
        if (keys == null) {
            keys = new int[pagesPerIndexBlock];
            keysOf[block] = keys;
        }
        if (indexBlock[hostPage] == 0 && keys[page % pagesPerIndexBlock] == 0) {
            indexBlock[hostPage] = block;
            keys[page % pagesPerIndexBlock] = hostPage;
        }
    }

    /** A device block goes to a new owner: its bytes are no copy any more. */
    void blockReused(int block) {
        rowBlock[rowsOf[block]] = 0;
        rowsOf[block] = 0;
        int[] keys = keysOf[block];
        if (keys != null) {
            for (int hostPage : keys) {
                indexBlock[hostPage] = 0;
            }
            keysOf[block] = null;
        }
    }

    /** A published host page goes to a new owner. */
    void hostPageReused(int hostPage, BlockPool pool) {
        pageOf.remove(hashOf[hostPage]);
        hashOf[hostPage] = null;
        int rows = rowBlock[hostPage];
        if (rows != 0) {
            rowsOf[rows] = 0;
            rowBlock[hostPage] = 0;
            pool.forget(rows);
        }
        int index = indexBlock[hostPage];
        int[] keys = keysOf[index];
        if (keys != null) {
            indexBlock[hostPage] = 0;
            for (int i = 0; i < keys.length; i++) {
                keys[i] = keys[i] == hostPage ? 0 : keys[i];
            }
            if (!wants(index)) {
                pool.forget(index);
            }
        }
    }

    int published() {
        return pageOf.size();
    }

    /** Both directions of every link agree. */
    void check() {
        int named = 0;
        for (int page = 1; page < hashOf.length; page++) {
            PageHash hash = hashOf[page];
            named += hash == null ? 0 : 1;
            Check.that(hash == null || pageOf.getIfAbsent(hash, 0) == page, "host page {} is lost to its hash", page);
            Check.that(rowBlock[page] == 0 || hash != null, "host page {} has a device copy unpublished", page);
            Check.that(rowBlock[page] == 0 || rowsOf[rowBlock[page]] == page, "host page {}: wrong block", page);
            Check.that(indexBlock[page] == 0 || hash != null, "host page {} has a device copy unpublished", page);
            Check.that(indexBlock[page] == 0 || holdsKeys(indexBlock[page], page), "host page {}: wrong keys", page);
        }
        Check.that(named == pageOf.size(), "{} host pages have hashes, {} are found", named, pageOf.size());
        for (int block = 1; block < rowsOf.length; block++) {
            Check.that(rowsOf[block] == 0 || rowBlock[rowsOf[block]] == block, "block {}: wrong host page", block);
        }
        Check.that(hashOf[0] == null && rowsOf[0] == 0 && keysOf[0] == null, "the null block has content");
    }

    private boolean holdsKeys(int block, int hostPage) {
        int[] keys = keysOf[block];
        return keys != null && IntArrayList.newListWith(keys).contains(hostPage);
    }
}
