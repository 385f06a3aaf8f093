package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a valid checkpoint of two shards and bends it. */
final class ShardedFiles {
    static final String INDEX = "model.safetensors.index.json";
    static final String ONE = "one.safetensors";
    static final String TWO = "two.safetensors";

    private static final String INDEX_TEXT = """
            {"metadata":{"total_size":16,"format":"pt"},
            "weight_map":{"a":"one.safetensors","b":"one.safetensors","c":"two.safetensors"}}
            """;
    private static final String HEADER_ONE = """
            {"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},\
            "b":{"dtype":"U8","shape":[3],"data_offsets":[8,11]}}""";

    private ShardedFiles() {}

    /** A change to the files of a checkpoint. */
    interface Bend {
        void apply(Path folder) throws IOException;
    }

    /** Writes the checkpoint: a (8 bytes) and b (3) in shard one, c (5) in shard two. */
    static void write(Path folder) throws IOException {
        Files.writeString(folder.resolve(INDEX), INDEX_TEXT);
        Files.write(folder.resolve(ONE), ModelFiles.bytes(HEADER_ONE, new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
        writeShard(folder.resolve(TWO), "c");
    }

    /** Writes a shard with one tensor of 5 bytes. */
    static void writeShard(Path file, String tensor) throws IOException {
        String header = "{\"" + tensor + "\":{\"dtype\":\"U8\",\"shape\":[5],\"data_offsets\":[0,5]}}";
        Files.write(file, ModelFiles.bytes(header, new byte[] {12, 13, 14, 15, 16}));
    }

    /** Replaces a piece of the index, which must be there once. */
    static Bend index(String from, String to) {
        assertThat(INDEX_TEXT).hasSize(INDEX_TEXT.replace(from, "").length() + from.length());
        return wholeIndex(INDEX_TEXT.replace(from, to));
    }

    static Bend wholeIndex(String text) {
        return folder -> Files.writeString(folder.resolve(INDEX), text);
    }

    /** Makes the index say that c is in {@code shard}, as JSON text without quotes. */
    static Bend shardOfC(String shard) {
        return index("\"c\":\"two.safetensors\"", "\"c\":\"" + shard + "\"");
    }

    /** Replaces shard two by a folder, link or file. */
    static Bend second(Bend replacement) {
        return folder -> {
            Files.delete(folder.resolve(TWO));
            replacement.apply(folder.resolve(TWO));
        };
    }

    /** Moves a file of the checkpoint to {@code target}, seen from the folder, and leaves a link in its place. */
    static Bend linked(String name, String target) {
        return folder -> {
            Path moved = folder.resolve(target);
            Files.createDirectories(moved.getParent());
            Files.move(folder.resolve(name), moved);
            Files.createSymbolicLink(folder.resolve(name), Path.of(target));
        };
    }
}
