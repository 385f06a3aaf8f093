package org.hotrow.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** {@code H200Size ROOT ARCHIVE...}: exit 0 if the files that stdin names, each ended by a zero byte, may travel with these archives. */
public final class H200Size {
    private H200Size() {}

    /** Checks. */
    public static void main(String[] args) throws IOException {
        if (args.length == 0) {
            System.err.println("h200: expected the root of the tree");
            System.exit(2);
        }
        String names = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        List<Path> archives = Arrays.stream(args).skip(1).map(Path::of).toList();
        boolean fits = TreeSize.check(Path.of(args[0]), List.of(names.split("\0", -1)), archives, System.out);
        System.exit(fits ? 0 : 1);
    }
}
