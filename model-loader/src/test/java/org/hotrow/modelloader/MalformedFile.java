package org.hotrow.modelloader;

import static org.hotrow.modelloader.ModelFiles.HEADER;
import static org.hotrow.modelloader.ModelFiles.bytes;
import static org.hotrow.modelloader.ModelFiles.data;
import static org.hotrow.modelloader.ModelFiles.swap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Ways to bend a valid safetensors file; each breaks one rule. */
enum MalformedFile {
    EMPTY("", "is 0 bytes long, too short", () -> new byte[0]),
    SEVEN_BYTES("", "is 7 bytes long, too short", () -> new byte[7]),
    LENGTH_ONLY("", "is 8 bytes long, too short", () -> bytes("", new byte[0])),

    NO_HEADER("header", "does not start with '{'", () -> bytes("", data())),
    HEADER_IS_ARRAY("header", "does not start with '{'", () -> bytes("[]", data())),
    LEADING_SPACE("header", "does not start with '{'", () -> bytes(" " + HEADER, data())),
    BYTE_ORDER_MARK("header", "does not start with '{'", () -> bytes("\uFEFF" + HEADER, data())),
    LENGTH_OF_ONE("header", "is not valid JSON", () -> bytes(1, HEADER.getBytes(StandardCharsets.UTF_8), data())),
    LENGTH_BEYOND_FILE("header", "length 3 at offset 0 is more than the file of 10", () -> claiming(3)),
    LENGTH_2_63("header", "length 9223372036854775808 at offset 0 is above the limit", () -> claiming(1L << 63)),
    LENGTH_2_64("header", "length 18446744073709551615 at offset 0 is above the limit", () -> claiming(-1)),
    LENGTH_ABOVE_LIMIT(
            "header",
            "length 100000001 at offset 0 is above the limit of 100000000",
            file -> ModelFiles.writeSparse(file, claiming(100_000_001), 100_000_009)),
    NULS_UP_TO_LIMIT(
            "header", "is not valid JSON", file -> ModelFiles.writeSparse(file, claiming(100_000_000), 100_000_008)),

    INVALID_UTF8("header", "is not valid UTF-8", () -> withBytes("c.empty", 0xFF)),
    OVERLONG_UTF8("header", "is not valid UTF-8", () -> withBytes("c.empty", 0xC1, 0xA1)),
    ENCODED_SURROGATE("header", "is not valid UTF-8", () -> withBytes("c.empty", 0xED, 0xA0, 0x80)),
    CUT_JSON("header", "is not valid JSON", () -> bytes(HEADER.substring(0, 100), data())),
    SINGLE_QUOTES("header", "is not valid JSON", () -> bytes(HEADER.replace('"', '\''), data())),
    TRAILING_COMMA("header", "is not valid JSON", header("[36,39]}}", "[36,39]},}")),
    TRAILING_LETTER("header", "is not valid JSON", () -> bytes(HEADER + "x", data())),
    TRAILING_OBJECT("header", "text after the JSON value", () -> bytes(HEADER + "{}", data())),
    TRAILING_NUL("header", "is not valid JSON", () -> bytes(HEADER + "\0", data())),
    TRAILING_NEWLINE("header", "only spaces may follow", () -> bytes(HEADER + "\n ", data())),

    TENSOR_TWICE("header", "Duplicate Object property \"a.weight\"", header("b.weight", "a.weight")),
    TENSOR_TWICE_ESCAPED("header", "Duplicate Object property \"a.weight\"", header("b.weight", "\\u0061.weight")),
    FIELD_TWICE("header", "Duplicate Object property \"dtype\"", header("\"BF16\",", "\"BF16\",\"dtype\":\"F16\",")),
    METADATA_TWICE(
            "header", "Duplicate Object property \"__metadata__\"", header("\"b.w", "\"__metadata__\":{},\"b.w")),
    METADATA_NUMBER("__metadata__", "the value of \"format\" must be a string", header("\"pt\"", "1")),
    METADATA_NESTED("__metadata__", "the value of \"format\" must be a string", header("\"pt\"", "{}")),
    METADATA_NULL_VALUE("__metadata__", "the value of \"format\" must be a string", header("\"pt\"", "null")),
    METADATA_STRING("__metadata__", "is not a JSON object", header("{\"format\":\"pt\"}", "\"pt\"")),
    METADATA_NULL("__metadata__", "is not a JSON object", header("{\"format\":\"pt\"}", "null")),
    METADATA_OF_5000_ENTRIES(
            "__metadata__", "has more than 4096 entries", () -> bytes(swap("\"pt\"", "\"\"" + entries(5_000)), data())),
    METADATA_TEXTS_TOO_LONG(
            "__metadata__",
            "or 8388608 characters",
            () -> bytes(
                    swap("\"pt\"", "\"" + "x".repeat(5 << 20) + "\",\"y\":\"" + "y".repeat(5 << 20) + "\""), data()),
            MalformedFile.MANY_MIB),
    METADATA_TOO_LONG(
            "header",
            "exceeds a limit: \"String value length",
            file -> ModelFiles.writePadded(file, "{\"__metadata__\":{\"x\":\"", 9 << 20, 'x', "\"}}")),

    DTYPE_UNKNOWN(
            "tensor a.weight", "dtype \"F128\" is unknown", header("\"F32\",\"shape\":[2", "\"F128\",\"shape\":[2")),
    DTYPE_LOWER_CASE("tensor b.weight", "dtype \"bf16\" is unknown", header("BF16", "bf16")),
    DTYPE_NUMBER("tensor b.weight", "dtype is not a string", header("\"BF16\"", "16")),
    DTYPE_ANSI("tensor b.weight", "dtype \"\\u001b[31m\" is unknown", header("BF16", "\\u001b[31m")),
    DTYPE_MISSING("tensor b.weight", "needs dtype, shape and data_offsets", header("\"dtype\":\"BF16\",", "")),
    SHAPE_MISSING("tensor b.weight", "needs dtype, shape and data_offsets", header("\"shape\":[4],", "")),
    OFFSETS_MISSING("tensor b.weight", "needs dtype, shape and data_offsets", header(",\"data_offsets\":[24,32]", "")),
    FIELD_UNKNOWN(
            "tensor b.weight", "has an unknown field \"zip\"", header("\"shape\":[4]", "\"zip\":1,\"shape\":[4]")),
    ENTRY_IS_ARRAY("tensor x", "is not a JSON object", header("\"a.weight\":", "\"x\":[],\"a.weight\":")),

    SHAPE_OVERFLOWS("tensor a.weight", "overflows 64 bits", header("[2,3]", "[4294967296,4294967296]")),
    SHAPE_WRAPS_TO_RIGHT_SIZE("tensor a.weight", "overflows 64 bits", header("[2,3]", "[4611686018427387910]")),
    SIZE_OVERFLOWS("tensor a.weight", "overflows 64 bits", header("[2,3]", "[1152921504606846976]")),
    SHAPE_OVERFLOWS_BEFORE_ZERO("tensor c.empty", "overflows 64 bits", header("[0,5]", "[4294967296,4294967296,0]")),
    SHAPE_NEGATIVE("tensor a.weight", "shape holds \"-2\"", header("[2,3]", "[-2,-3]")),
    SHAPE_NEGATIVE_ZERO("tensor c.empty", "shape holds \"-0\"", header("[0,5]", "[-0,5]")),
    SHAPE_FLOAT("tensor a.weight", "shape holds \"2.0\"", header("[2,3]", "[2.0,3]")),
    SHAPE_EXPONENT("tensor a.weight", "shape holds \"6e0\"", header("[2,3]", "[6e0]")),
    SHAPE_STRING("tensor a.weight", "shape holds \"3\"", header("[2,3]", "[2,\"3\"]")),
    SHAPE_NESTED("tensor a.weight", "shape holds \"[\"", header("[2,3]", "[[2,3]]")),
    SHAPE_NULL("tensor a.weight", "shape is not an array", header("[2,3]", "null")),
    SHAPE_2_63(
            "tensor a.weight",
            "shape holds 9223372036854775808, which overflows",
            header("[2,3]", "[9223372036854775808]")),
    SHAPE_30_DIGITS("tensor a.weight", "which overflows 64 bits", header("[2,3]", "[" + "1".repeat(30) + "]")),
    SHAPE_MILLION_DIGITS(
            "header",
            "exceeds a limit: \"Number value length",
            () -> bytes(swap("[2,3]", "1".repeat(1_000_000)), data())),
    RANK_NINE("tensor a.weight", "shape has more than 8 numbers", header("[2,3]", "[1,1,1,1,1,1,1,2,3]")),

    OFFSET_NEGATIVE("tensor a.weight", "data_offsets holds \"-1\"", header("[0,24]", "[-1,24]")),
    OFFSET_FLOAT("tensor a.weight", "data_offsets holds \"24.0\"", header("[0,24]", "[0,24.0]")),
    OFFSET_EXPONENT("tensor a.weight", "data_offsets holds \"2.4e1\"", header("[0,24]", "[0,2.4e1]")),
    OFFSET_30_DIGITS("tensor a.weight", "which overflows 64 bits", header("[0,24]", "[0," + "9".repeat(30) + "]")),
    OFFSET_2_63_MINUS_1("tensor a.weight", "end behind the file", header("[0,24]", "[0,9223372036854775807]")),
    OFFSETS_ONE("tensor a.weight", "data_offsets [24] must be [begin, end]", header("[0,24]", "[24]")),
    OFFSETS_THREE("tensor a.weight", "data_offsets has more than 2 numbers", header("[0,24]", "[0,24,24]")),
    OFFSETS_SWAPPED("tensor b.weight", "data_offsets [32, 24] must be [begin, end]", header("[24,32]", "[32,24]")),
    GAP("tensor b.weight", "leave a gap after \"a.weight\"; expected to begin at 24", header("[24,32]", "[25,33]")),
    GAP_AT_START("tensor b.weight", "leave a gap after the start", () -> bytes(withoutFirst(), data())),
    OVERLAP("tensor b.weight", "overlap \"a.weight\"; expected to begin at 24", header("[24,32]", "[23,31]")),
    SAME_BYTES_TWICE("tensor b.weight", "overlap \"d.scalar\"", header("[32,36]", "[24,28]")),
    EMPTY_TENSOR_INSIDE_ANOTHER("tensor c.empty", "overlap \"a.weight\"", header("[32,32]", "[8,8]")),
    CUT_SHORT("tensor e.nibbles", "end behind the file, which has 38 bytes of data", () -> shorter(1)),
    CUT_BEFORE_DATA("tensor", "end behind the file, which has 0 bytes of data", () -> shorter(39)),
    APPENDED_BYTE("header", "which has 40 bytes", () -> bytes(HEADER, Arrays.copyOf(data(), 40))),
    DATA_WITHOUT_TENSORS("header", "end with byte 0 of the data, which has 39 bytes", () -> bytes("{}", data())),
    SHAPE_TOO_LARGE("tensor a.weight", "span 24 bytes, but shape [2, 4] of F32 takes 32", header("[2,3]", "[2,4]")),
    SHAPE_TOO_SMALL("tensor d.scalar", "span 4 bytes, but shape [0] of F32 takes 0", header("[]", "[0]")),
    DTYPE_TOO_SMALL("tensor b.weight", "span 8 bytes, but shape [4] of F8_E4M3 takes 4", header("BF16", "F8_E4M3")),
    ENDS_WITHIN_A_BYTE("tensor e.nibbles", "shape [5] of F4 ends within a byte", header("[6]", "[5]")),

    NAME_WITH_NUL("tensor a\\u0000weight", "the name has unprintable characters", header("a.w", "a\\u0000w")),
    NAME_WITH_NEWLINE("tensor a\\u000aweight", "the name has unprintable characters", header("a.w", "a\\nw")),
    NAME_WITH_ANSI("tensor a\\u001b[31mweight", "unprintable characters", header("a.w", "a\\u001b[31mw")),
    NAME_WITH_C1("tensor a\\u009bweight", "unprintable characters", header("a.w", "a\u009Bw")),
    NAME_WITH_RIGHT_TO_LEFT("tensor a\\u202eweight", "unprintable characters", header("a.w", "a\u202Ew")),
    NAME_WITH_LINE_SEPARATOR("tensor a\\u2028weight", "unprintable characters", header("a.w", "a\u2028w")),
    NAME_WITH_HALF_A_PAIR("header", "Broken surrogate pair", header("a.w", "a\\ud800w")),
    NAME_OF_1025("tensor nnnn", "longer than the limit of 1024 characters", () -> named(1_025)),
    NAME_OF_A_MILLION("tensor nnnn", "longer than the limit of 1024 characters", () -> named(1_000_000), 16 << 20),
    NAME_OF_NINE_MILLION(
            "header",
            "exceeds a limit: \"Name length",
            file -> ModelFiles.writePadded(file, "{\"", 9 << 20, 'n', "\":{}}")),
    MILLION_TENSORS(
            "tensor t262144",
            "is one more than the limit of 262144 tensors",
            file -> ModelFiles.writeEmptyTensors(file, 1_000_000),
            256 << 20), // Less than 1 KiB for each tensor up to the limit.
    DEEP_ENTRY("tensor a.weight", "shape holds \"[\"", header("[2,3]", "[".repeat(10_000))),
    DEEP_METADATA("__metadata__", "must be a string", header("\"pt\"", "[".repeat(10_000))),
    DEEP_OBJECT("tensor x", "has an unknown field \"x\"", () -> bytes("{\"x\":".repeat(10_000), data()));

    private static final long FEW_MIB = 4 << 20;
    private static final long MANY_MIB = 64 << 20;

    /** The refusal's place and a part of its problem. */
    final String where;

    final String problem;

    /** What reading it may allocate, in bytes. */
    final long allocationLimit;

    @SuppressWarnings("ImmutableEnumChecker") // The lambdas hold strings and numbers.
    private final Writer writer;

    MalformedFile(String where, String problem, Supplier<byte[]> content) {
        this(where, problem, content, FEW_MIB);
    }

    MalformedFile(String where, String problem, Supplier<byte[]> content, long allocationLimit) {
        this(where, problem, file -> Files.write(file, content.get()), allocationLimit);
    }

    MalformedFile(String where, String problem, Writer writer) {
        this(where, problem, writer, MANY_MIB);
    }

    MalformedFile(String where, String problem, Writer writer, long allocationLimit) {
        this.where = where;
        this.problem = problem;
        this.writer = writer;
        this.allocationLimit = allocationLimit;
    }

    /** Writes the bent file. */
    void write(Path file) throws IOException {
        writer.write(file);
    }

    private interface Writer {
        void write(Path file) throws IOException;
    }

    private static Supplier<byte[]> header(String from, String to) {
        return () -> bytes(swap(from, to), data());
    }

    private static byte[] claiming(long length) {
        return bytes(length, new byte[] {'{', '}'}, new byte[0]);
    }

    /** The valid file with the {@code piece} of its header replaced by these bytes. */
    private static byte[] withBytes(String piece, int... bytes) {
        int at = HEADER.indexOf(piece);
        byte[] header = new byte[HEADER.length() - piece.length() + bytes.length];
        byte[] start = HEADER.substring(0, at).getBytes(StandardCharsets.US_ASCII);
        byte[] rest = HEADER.substring(at + piece.length()).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(start, 0, header, 0, at);
        for (int i = 0; i < bytes.length; i++) {
            header[at + i] = (byte) bytes[i];
        }
        System.arraycopy(rest, 0, header, at + bytes.length, rest.length);
        return bytes(header, data());
    }

    private static String withoutFirst() {
        return swap("\"a.weight\":{\"dtype\":\"F32\",\"shape\":[2,3],\"data_offsets\":[0,24]},", "");
    }

    private static byte[] shorter(int bytes) {
        byte[] file = bytes(HEADER, data());
        return Arrays.copyOf(file, file.length - bytes);
    }

    private static byte[] named(int length) {
        return bytes(swap("a.weight", "n".repeat(length)), data());
    }

    private static String entries(int count) {
        return IntStream.range(0, count).mapToObj(i -> ",\"k" + i + "\":\"\"").collect(Collectors.joining());
    }
}
