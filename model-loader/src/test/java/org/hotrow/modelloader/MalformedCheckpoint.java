package org.hotrow.modelloader;

import static org.hotrow.modelloader.ShardedFiles.INDEX;
import static org.hotrow.modelloader.ShardedFiles.ONE;
import static org.hotrow.modelloader.ShardedFiles.TWO;
import static org.hotrow.modelloader.ShardedFiles.index;
import static org.hotrow.modelloader.ShardedFiles.linked;
import static org.hotrow.modelloader.ShardedFiles.second;
import static org.hotrow.modelloader.ShardedFiles.shardOfC;
import static org.hotrow.modelloader.ShardedFiles.wholeIndex;
import static org.hotrow.modelloader.ShardedFiles.writeShard;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Ways to bend the valid checkpoint of {@link ShardedFiles}; each breaks one rule. */
enum MalformedCheckpoint {
    EMPTY_FOLDER("", "", "has neither model.safetensors.index.json nor model.safetensors", folder -> {
        Files.delete(folder.resolve(INDEX));
    }),
    INDEX_IS_FOLDER(INDEX, "", "is not a file", folder -> {
        Files.delete(folder.resolve(INDEX));
        Files.createDirectory(folder.resolve(INDEX));
    }),
    INDEX_EMPTY(INDEX, "", "is empty, expected JSON", wholeIndex("")),
    INDEX_CUT(INDEX, "", "is not valid JSON", wholeIndex("{\"weight_map\":")),
    INDEX_NOT_UTF8(INDEX, "", "is not valid UTF-8", folder -> {
        Files.write(folder.resolve(INDEX), new byte[] {'{', '"', (byte) 0xFF, '"', ':', '1', '}'});
    }),
    INDEX_IS_ARRAY(INDEX, "", "is not a JSON object", wholeIndex("[]")),
    INDEX_DEEP(INDEX, "", "exceeds a limit: \"Document nesting depth", wholeIndex("{\"x\":" + "[".repeat(10_000))),
    INDEX_TOO_LARGE(INDEX, "", "is 67108865 bytes long, the limit is 67108864", folder -> {
        ModelFiles.writeSparse(folder.resolve(INDEX), new byte[0], 67_108_865);
    }),
    WEIGHT_MAP_MISSING(INDEX, "weight_map", "is missing", wholeIndex("{\"metadata\":{}}")),
    WEIGHT_MAP_IS_ARRAY(INDEX, "weight_map", "is not a JSON object", wholeIndex("{\"weight_map\":[]}")),
    WEIGHT_MAP_TWICE(INDEX, "", "Duplicate Object property", index("\"weight", "\"weight_map\":{},\"weight")),
    TENSOR_MAPPED_TWICE(INDEX, "", "Duplicate Object property \"a\"", index("\"b\"", "\"a\"")),
    TENSOR_NAME_LONG(INDEX, "", "exceeds a limit: \"Name length", index("\"a\"", "\"" + "n".repeat(20_000) + "\"")),
    TENSORS_262145(INDEX, "weight_map: tensor t262144", "or 262144 tensors", map(262_145, i -> "one")),
    TOTAL_SIZE_STRING(INDEX, "metadata.total_size", "is not a number", index("16", "\"16\"")),
    TOTAL_SIZE_DIFFERS(INDEX, "metadata.total_size", "is 17, but the tensors have 16 bytes", index("16", "17")),
    METADATA_IS_STRING(
            INDEX, "metadata", "is not a JSON object", index("{\"total_size\":16,\"format\":\"pt\"}", "\"\"")),

    SHARD_IS_NUMBER(INDEX, "weight_map: tensor c", "is not the name of a shard", index("\"two.safetensors\"", "2")),
    SHARD_ABOVE(INDEX, "weight_map: tensor c", "\"../../etc/passwd\" is not", shardOfC("../../etc/passwd")),
    SHARD_ABOVE_WITH_SUFFIX(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("../x.safetensors")),
    SHARD_ABSOLUTE(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("/x.safetensors")),
    SHARD_IN_SUBFOLDER(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("s/x.safetensors")),
    SHARD_WITH_BACKSLASH(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("..\\\\x.safetensors")),
    SHARD_WITH_DRIVE(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("c:x.safetensors")),
    SHARD_WITH_NUL(INDEX, "weight_map: tensor c", "\"x\\u0000.safetensors\" is not", shardOfC("x\\u0000.safetensors")),
    SHARD_ENDS_IN_NEWLINE(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("two.safetensors\\n")),
    SHARD_WITHOUT_NAME(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("")),
    SHARD_OF_OTHER_KIND(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("two.bin")),
    SHARD_NAME_LONG(INDEX, "weight_map: tensor c", "is not the plain name", shardOfC("x".repeat(300) + ".safetensors")),
    SHARDS_4097(INDEX, "weight_map: tensor t4096", "exceeds the limit of 4096 shards", map(4_097, i -> "s" + i)),

    SHARD_MISSING(INDEX, "weight_map", "shard two.safetensors is missing", second(path -> {})),
    SHARD_IS_FOLDER(TWO, "", "is not a file", second(Files::createDirectory)),
    SHARD_BROKEN(
            TWO, "header", "is not valid JSON", second(path -> Files.write(path, ModelFiles.bytes("{]", new byte[5])))),
    TENSOR_IN_NO_SHARD(INDEX, "tensor d", "is promised in two.safetensors, but no shard has it", addD()),
    TENSOR_IN_UNLISTED_SHARD(INDEX, "tensor d", "is promised in two.safetensors, but no shard has it", folder -> {
        addD().apply(folder);
        writeShard(folder.resolve("three.safetensors"), "d");
    }),
    TENSOR_IN_OTHER_SHARD(
            ONE,
            "tensor b",
            "is here, but model.safetensors.index.json has it in two.s",
            index("\"b\":\"one", "\"b\":\"two")),
    TENSOR_IN_BOTH_SHARDS(TWO, "tensor a", "is also in one.safetensors", second(path -> writeShard(path, "a"))),
    TENSOR_NOT_IN_INDEX(ONE, "tensor b", "has it in no shard", index("\"b\":\"one.safetensors\",", "")),

    LINK_TO_NOTHING(
            TWO,
            "",
            "a link to a file that is missing",
            second(path -> Files.createSymbolicLink(path, Path.of("gone")))),
    LINK_OUT(TWO, "", "is a link that leaves the folder of the model", linked(TWO, "../elsewhere/two")),
    LINK_TO_BLOBS_OF_NO_CACHE(TWO, "", "is a link that leaves the folder of the model", linked(TWO, "../../blobs/two")),
    LINK_OF_INDEX_OUT(INDEX, "", "is a link that leaves the folder of the model", linked(INDEX, "../index.json"));

    /** The file that the refusal names, seen from the folder; the place in it; a part of the problem. */
    final String file;

    final String where;
    final String problem;

    @SuppressWarnings("ImmutableEnumChecker") // The lambdas hold strings.
    private final ShardedFiles.Bend bend;

    MalformedCheckpoint(String file, String where, String problem, ShardedFiles.Bend bend) {
        this.file = file;
        this.where = where;
        this.problem = problem;
        this.bend = bend;
    }

    /** Writes the bent checkpoint. */
    void write(Path folder) throws IOException {
        ShardedFiles.write(folder);
        bend.apply(folder);
    }

    private static ShardedFiles.Bend addD() {
        return index("\"c\":", "\"d\":\"two.safetensors\",\"c\":");
    }

    private static ShardedFiles.Bend map(int tensors, IntFunction<String> shard) {
        return folder -> Files.writeString(
                folder.resolve(INDEX),
                IntStream.range(0, tensors)
                        .mapToObj(i -> "\"t" + i + "\":\"" + shard.apply(i) + ".safetensors\"")
                        .collect(Collectors.joining(",", "{\"weight_map\":{", "}}")));
    }
}
