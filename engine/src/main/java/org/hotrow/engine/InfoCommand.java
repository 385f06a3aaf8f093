package org.hotrow.engine;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.RowFormat;
import org.hotrow.modelloader.ModelConfig;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hotrow info}: what a checkpoint is, and what its cache takes. Reads headers only. */
@Command(
        name = "info",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Prints a checkpoint's shape, its parameters and bytes, and how much its KV cache takes.")
final class InfoCommand implements Callable<Integer> {
    private static final int[] MEMORY_GIB = {1, 4, 16, 64, 128};
    private static final int[] SEAT_TOKENS = {4_096, 32_768, 131_072};

    private final Console console;

    @Mixin
    private FolderOption folder = new FolderOption();

    InfoCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        PrintStream out = console.out();
        try (Model opened = Model.open(folder.folder())) {
            ModelShape.shape(opened.config()).forEach(out::println);
            ModelShape.parameters(opened).forEach(out::println);
            for (KvDtype dtype : KvDtype.values()) {
                printCache(out, opened.config(), dtype);
            }
        }
        console.answer("");
        return Hotrow.OK;
    }

    private static void printCache(PrintStream out, ModelConfig c, KvDtype dtype) {
        CacheFormat format = CacheFormat.of(dtype);
        Optional<String> refusal = CacheConfig.refusal(c, format);
        if (refusal.isPresent()) {
            line(out, "cache " + dtype, "not for this model: " + refusal.get());
            return;
        }
        RowFormat rows = format.rowFormat(c);
        int pageBytes = format.keyFormat(c).pageBytes();
        long rowBytes = (long) rows.rowBytes() * c.layers();
        long indexBytes =
                (long) pageBytes / Block.TOKENS * c.indexer().anchors().size();
        line(
                out,
                "cache " + dtype,
                String.format(
                        Locale.ROOT,
                        "%,d bytes a token: rows %,d, index keys %,d",
                        rowBytes + indexBytes,
                        rowBytes,
                        indexBytes));
        if (c.mtpLayers() > 0) {
            long drafting = (long) rows.rowBytes() + pageBytes / Block.TOKENS;
            line(out, "", String.format(Locale.ROOT, "%,d more with --speculative-tokens", drafting));
        }
        out.printf(Locale.ROOT, "%16s %10s", "memory", "blocks");
        for (int tokens : SEAT_TOKENS) {
            out.printf(Locale.ROOT, " %16s", "seats of " + tokens / 1024 + "K");
        }
        out.println();
        for (int gib : MEMORY_GIB) {
            printPool(out, c, rows.rowBytes(), pageBytes, gib);
        }
    }

    /** Blocks in so much memory, and requests of a length that are resident in them at once. */
    private static void printPool(PrintStream out, ModelConfig c, int rowBytes, int pageBytes, int gib) {
        long blocks = ((long) gib << 30) / ((long) Block.TOKENS * rowBytes * c.layers());
        out.printf(Locale.ROOT, "%12d GiB %10d", gib, blocks);
        if (blocks < 2 || blocks > KvGeometry.mostBlocks(rowBytes)) {
            out.println(blocks < 2 ? "  too few" : "  more than one pool takes");
            return;
        }
        KvGeometry geometry = KvGeometry.of(c.layers(), c.indexer().anchors(), rowBytes, pageBytes, (int) blocks);
        for (int tokens : SEAT_TOKENS) {
            int each = Math.ceilDiv(tokens, Block.TOKENS) + Math.ceilDiv(tokens, geometry.indexTokensPerBlock());
            out.printf(Locale.ROOT, " %16s", tokens > c.contextLength() ? "-" : (blocks - 1) / each);
        }
        out.println();
    }

    private static void line(PrintStream out, String name, String value) {
        out.println(ModelShape.line(name, value));
    }
}
