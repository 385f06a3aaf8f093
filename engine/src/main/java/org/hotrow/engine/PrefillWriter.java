package org.hotrow.engine;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.HostPageId;
import org.hotrow.allocator.Residency;
import org.hotrow.modelloader.SafetensorsWriter;

/** Writes the rows and index keys of a request to a file, from wherever they are: {@link PrefillLayout}. */
final class PrefillWriter {
    private final PrefillLayout layout;
    private final KvCache cache;
    private final int[] blocks;
    private final int[] hostPages;
    private final int[] indexBlocks;

    /** Of a request that has a seat. */
    PrefillWriter(PrefillLayout layout, KvCache cache, Residency residency) {
        this.layout = layout;
        this.cache = cache;
        blocks = new int[residency.pages()];
        hostPages = new int[residency.pages()];
        indexBlocks = new int[residency.indexBlocks()];
        residency.copyBlocks(blocks, 0);
        residency.copyHostPages(hostPages, 0);
        residency.copyIndexBlocks(indexBlocks, 0);
    }

    /**
     * Refuses a name that no file can have.
     *
     * @throws RequestException naming the flag
     */
    static void requireWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isDirectory(folder) || !Files.isWritable(folder)) {
            throw new RequestException("--out " + file + ": expected a name in a folder that can be written to");
        }
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new RequestException("--out " + file + ": is there and no file; choose another name");
        }
    }

    /**
     * Writes the rows of {@code tokens}, the first ones of the request.
     *
     * @throws EngineException if the file can't be written; one that was there before is as it was
     */
    void write(Path file, int[] tokens) {
        var tensors = layout.tensors(tokens.length);
        try (SafetensorsWriter writer = SafetensorsWriter.create(file.toAbsolutePath(), layout.metadata(), tensors)) {
            MemorySegment ids = MemorySegment.ofArray(new byte[tokens.length * Integer.BYTES]);
            for (int i = 0; i < tokens.length; i++) {
                ids.setAtIndex(PrefillLayout.ID, i, tokens[i]);
            }
            writer.write(ids);
            for (int layer = 0; layer < layout.layers(); layer++) {
                for (int page = 0; page < Block.pages(tokens.length); page++) {
                    MemorySegment rows = MemorySegment.ofArray(new byte[count(tokens, page) * layout.rowBytes()]);
                    long bytes = (long) computed(tokens, layer, page) * layout.rowBytes();
                    rows.asSlice(0, bytes).copyFrom(rows(layer, page).asSlice(0, bytes));
                    writer.write(rows);
                }
            }
            for (int anchor : layout.anchors()) {
                for (int page = 0; page < Block.pages(tokens.length); page++) {
                    MemorySegment keys =
                            MemorySegment.ofArray(new byte[layout.keys().pageBytes()]);
                    layout.keys().copy(keys(anchor, page), keys, computed(tokens, anchor, page));
                    writer.write(keys);
                }
            }
            writer.finish();
        } catch (IOException e) {
            throw new EngineException(file + ": can't be written: " + e);
        }
    }

    private static int count(int[] tokens, int page) {
        return Math.min(Block.TOKENS, tokens.length - page * Block.TOKENS);
    }

    /** Tokens of a page that have rows and keys in a layer. */
    private int computed(int[] tokens, int layer, int page) {
        boolean last = page + 1 == Block.pages(tokens.length);
        return count(tokens, page) - (last && layout.leavesOutTheLast(layer) ? 1 : 0);
    }

    private MemorySegment rows(int layer, int page) {
        return blocks[page] != 0
                ? cache.rows(layer, blocks[page])
                : cache.host().orElseThrow().rows(new HostPageId(hostPages[page]), layer);
    }

    private MemorySegment keys(int anchor, int page) {
        int perBlock = cache.geometry().pagesPerIndexBlock();
        return cache.keys(anchor, indexBlocks[page / perBlock], page % perBlock);
    }
}
