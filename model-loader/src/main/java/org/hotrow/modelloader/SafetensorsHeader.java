package org.hotrow.modelloader;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * The header of a safetensors file, checked against the length of the file.
 *
 * <pre>
 * 0               8                                8 + n                      file length
 * | n, 64 bits LE | {JSON}, space-padded to n bytes | data, seamless, unaligned |
 * </pre>
 *
 * Ordered by their offsets, the tensors cover the data from its first to its last byte: no gap, no overlap, nothing
 * behind. So whatever a header declares, it cannot claim more than the file holds.
 *
 * @param dataStart file offset of the data, {@code 8 + n}
 * @param tensors in the order of the JSON
 * @param metadata the free text of the header
 */
record SafetensorsHeader(long dataStart, List<TensorEntry> tensors, Map<String, String> metadata) {
    static final long MAX_JSON_BYTES = 100_000_000;

    /** How a refusal names the header. */
    static final String WHERE = "header";

    private static final int LENGTH_BYTES = Long.BYTES;

    /** Reads the header of an open file of {@code fileLength} bytes, and not a byte behind it. */
    static SafetensorsHeader read(Path file, FileChannel channel, long fileLength) throws IOException {
        long jsonEnd = LENGTH_BYTES + readLength(file, channel, fileLength);
        var bytes = new HeaderBytes(channel, LENGTH_BYTES, jsonEnd);
        HeaderJson json = HeaderJson.read(file, bytes);
        if (bytes.lastInk() != '}') {
            throw new ModelFormatException(file, WHERE, "only spaces may follow the JSON object");
        }
        requireSeamless(file, json.tensors(), fileLength - jsonEnd);
        return new SafetensorsHeader(jsonEnd, json.tensors(), json.metadata());
    }

    private static long readLength(Path file, FileChannel channel, long fileLength) throws IOException {
        // The length and the first byte of the JSON.
        ByteBuffer start = ByteBuffer.allocate(LENGTH_BYTES + 1).order(ByteOrder.LITTLE_ENDIAN);
        while (start.hasRemaining() && channel.read(start, start.position()) >= 0) {
            // A read may return less than it was asked for.
        }
        if (start.hasRemaining()) {
            throw new ModelFormatException(
                    file, "", "is " + fileLength + " bytes long, too short for a safetensors file; download it again");
        }
        long length = start.getLong(0);
        if (length < 0 || length > MAX_JSON_BYTES) {
            throw new ModelFormatException(
                    file,
                    WHERE,
                    "length " + Long.toUnsignedString(length) + " at offset 0 is above the limit of " + MAX_JSON_BYTES
                            + "; is this a safetensors file?");
        }
        if (length > fileLength - LENGTH_BYTES) {
            throw new ModelFormatException(
                    file,
                    WHERE,
                    "length " + length + " at offset 0 is more than the file of " + fileLength
                            + " bytes holds; download it again");
        }
        if (length == 0 || start.get(LENGTH_BYTES) != '{') {
            throw new ModelFormatException(
                    file, WHERE, "does not start with '{' at offset 8; is this a safetensors file?");
        }
        return length;
    }

    private static void requireSeamless(Path file, List<TensorEntry> tensors, long dataBytes) {
        var byOffset = new ArrayList<>(tensors);
        byOffset.sort(Comparator.comparingLong(TensorEntry::begin).thenComparingLong(TensorEntry::end));
        String before = "the start of the data";
        long covered = 0;
        for (TensorEntry tensor : byOffset) {
            String where = TensorView.where(tensor.name());
            String offsets = "data_offsets [" + tensor.begin() + ", " + tensor.end() + "]";
            if (tensor.end() > dataBytes) {
                throw new ModelFormatException(
                        file,
                        where,
                        offsets + " end behind the file, which has " + dataBytes
                                + " bytes of data; is it cut short? Download it again");
            }
            tensor.requireSize(file);
            if (tensor.begin() != covered) {
                throw new ModelFormatException(
                        file,
                        where,
                        offsets + (tensor.begin() < covered ? " overlap " : " leave a gap after ") + before
                                + "; expected to begin at " + covered);
            }
            before = ModelFormatException.quote(tensor.name());
            covered = tensor.end();
        }
        if (covered != dataBytes) {
            throw new ModelFormatException(
                    file,
                    WHERE,
                    "the tensors end with byte " + covered + " of the data, which has " + dataBytes
                            + " bytes; expected nothing behind them");
        }
    }
}
