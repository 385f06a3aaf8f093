package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.HostPageId;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.Residency;

/**
 * The stored rows and index pages of a request, wherever they lie: the same bytes under every policy.
 *
 * @param rows of each position, the layers behind each other
 * @param keys of each sealed page, the anchors behind each other
 */
record StoredKv(List<byte[]> rows, List<byte[]> keys) {
    /** Reads everything; a page that is on the device and on the host has to be the same in both. */
    static StoredKv of(ModelDevice device, ModelSession session) {
        KvCache cache = device.cache();
        KvGeometry geometry = cache.geometry();
        Residency residency = session.residency();
        int[] blocks = new int[residency.pages()];
        int[] hostPages = new int[residency.pages()];
        int[] indexBlocks = new int[residency.indexBlocks()];
        residency.copyBlocks(blocks, 0);
        residency.copyHostPages(hostPages, 0);
        residency.copyIndexBlocks(indexBlocks, 0);
        int tokens = session.request().length();
        List<byte[]> rows = new ArrayList<>();
        List<byte[]> keys = new ArrayList<>();
        for (int page = 0; page < Block.pages(tokens); page++) {
            int block = blocks[page];
            int hostPage = hostPages[page];
            assertThat(block != 0 || hostPage != 0)
                    .as("page %d is somewhere", page)
                    .isTrue();
            int count = Math.min(Block.TOKENS, tokens - page * Block.TOKENS);
            byte[] onDevice = block == 0 ? new byte[0] : onDevice(cache, block, count);
            byte[] onHost = hostPage == 0 ? new byte[0] : onHost(cache, hostPage, count);
            if (block != 0 && hostPage != 0) {
                assertThat(onHost).as("host copy of page %d", page).isEqualTo(onDevice);
            }
            rows.add(block != 0 ? onDevice : onHost);
            if (count == Block.TOKENS) {
                keys.add(keys(cache, geometry, indexBlocks, page, hostPage));
            }
        }
        return new StoredKv(rows, keys);
    }

    private static byte[] onDevice(KvCache cache, int block, int count) {
        return layers(cache, count, layer -> cache.rows(layer, block));
    }

    private static byte[] onHost(KvCache cache, int page, int count) {
        return layers(cache, count, layer -> cache.host().orElseThrow().rows(new HostPageId(page), layer));
    }

    private static byte[] layers(KvCache cache, int count, IntFunction<MemorySegment> ofLayer) {
        long bytes = (long) count * cache.geometry().rowBytes();
        byte[] all = new byte[Math.toIntExact(bytes * cache.geometry().layers())];
        for (int layer = 0; layer < cache.geometry().layers(); layer++) {
            MemorySegment.copy(
                    ofLayer.apply(layer), ValueLayout.JAVA_BYTE, 0, all, Math.toIntExact(layer * bytes), (int) bytes);
        }
        return all;
    }

    private static byte[] keys(KvCache cache, KvGeometry geometry, int[] indexBlocks, int page, int hostPage) {
        int perBlock = geometry.pagesPerIndexBlock();
        byte[] all = new byte[geometry.anchors() * geometry.indexPageBytes()];
        int at = 0;
        for (int anchor : geometry.anchorLayers()) {
            MemorySegment keys = cache.keys(anchor, indexBlocks[page / perBlock], page % perBlock);
            if (hostPage != 0) {
                assertThat(cache.host()
                                .orElseThrow()
                                .keys(new HostPageId(hostPage), anchor)
                                .mismatch(keys))
                        .as("host copy of the keys of page %d, layer %d", page, anchor)
                        .isEqualTo(-1);
            }
            MemorySegment.copy(keys, ValueLayout.JAVA_BYTE, 0, all, at, geometry.indexPageBytes());
            at += geometry.indexPageBytes();
        }
        return all;
    }

    void assertEqualTo(StoredKv other) {
        assertThat(rows).hasSameSizeAs(other.rows);
        for (int page = 0; page < rows.size(); page++) {
            assertThat(rows.get(page)).as("rows of page %d", page).isEqualTo(other.rows.get(page));
        }
        assertThat(keys).hasSameSizeAs(other.keys);
        for (int page = 0; page < keys.size(); page++) {
            assertThat(keys.get(page)).as("keys of page %d", page).isEqualTo(other.keys.get(page));
        }
    }
}
