package org.hotrow.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/** Whether a working tree is small enough to travel: its files, and archives that git ignores. */
final class TreeSize {
    /** The limit. */
    static final long MOST_BYTES = 64L << 20;

    private TreeSize() {}

    /**
     * Prints the size.
     *
     * @param files of the tree, relative to its root; what isn't there counts nothing
     * @return whether it is at most {@value #MOST_BYTES} bytes
     */
    static boolean check(Path root, List<String> files, List<Path> archives, PrintStream out) throws IOException {
        long tree = 0;
        for (String file : files) {
            Path path = root.resolve(file);
            if (Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)) {
                tree += Files.size(path);
            }
        }
        long packed = 0;
        for (Path archive : archives) {
            packed += Files.size(archive);
            out.printf("%s: %,d bytes%n", archive.getFileName(), Files.size(archive));
        }
        long whole = tree + packed;
        out.printf("tree %,d + archives %,d = %,d bytes of %,d%n", tree, packed, whole, MOST_BYTES);
        if (whole > MOST_BYTES) {
            out.printf("h200: %,d bytes too many%n", whole - MOST_BYTES);
        }
        return whole <= MOST_BYTES;
    }
}
