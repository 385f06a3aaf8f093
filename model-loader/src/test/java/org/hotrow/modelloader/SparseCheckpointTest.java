package org.hotrow.modelloader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A checkpoint of 6 GiB in two shards, all holes but for headers and a few marked bytes.
 *
 * <pre>
 * model-1.safetensors: wide   [0, 2.5 GiB)   far   [2.5 GiB, 4.5 GiB)
 * model-2.safetensors: small  [0, 16)        rest  [16, 1.5 GiB)
 * </pre>
 */
class SparseCheckpointTest {
    private static final long GIB = 1L << 30;
    private static final long WIDE = 5 * GIB / 2;
    private static final long FAR = 2 * GIB;
    private static final long REST = 3 * GIB / 2 - 16;

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        String first = """
                {"wide":{"dtype":"F8_E4M3","shape":[5,536870912],"data_offsets":[0,2684354560]},
                "far":{"dtype":"BF16","shape":[1073741824],"data_offsets":[2684354560,4831838208]}}""";
        writeShard("model-1.safetensors", first, WIDE + FAR, new long[] {
            0, WIDE - 1, 2 * GIB + 12_345, WIDE, 4 * GIB + 1, WIDE + FAR - 1
        });
        String second = """
                {"rest":{"dtype":"U8","shape":[1610612720],"data_offsets":[16,1610612736]},
                "small":{"dtype":"F32","shape":[4],"data_offsets":[0,16]}}""";
        writeShard("model-2.safetensors", second, REST + 16, new long[] {3, 16, REST + 15});
        Files.writeString(folder.resolve("model.safetensors.index.json"), """
                {"metadata":{"total_size":6442450944},"weight_map":{"wide":"model-1.safetensors","far":"model-1.safetensors",
                "rest":"model-2.safetensors","small":"model-2.safetensors"}}""");
    }

    /** Writes a shard of zeros; the byte at each marked offset of its data is 1, 2, 3, ... */
    private void writeShard(String name, String header, long dataBytes, long[] marks) throws IOException {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve(name);
        ModelFiles.writeSparse(file, ModelFiles.bytes(json, new byte[0]), 8 + json.length + dataBytes);
        try (var out = new RandomAccessFile(file.toFile(), "rw")) {
            for (int i = 0; i < marks.length; i++) {
                out.seek(8 + json.length + marks[i]);
                out.write(i + 1);
            }
        }
    }

    /**
     * What opening reads is counted on both ways that bytes can take into the process: read calls, and pages of the
     * mappings. What it allocates is on the heap only: the loader allocates no native memory.
     */
    @Test
    void opensWithoutReadingTheData() throws IOException {
        long read = Footprint.readBytes();
        long allocated = Footprint.allocatedBytes();
        try (TensorStore store = TensorStore.open(folder)) {
            assertThat(Footprint.allocatedBytes() - allocated).as("allocated").isLessThan(8 << 20);
            assertThat(Footprint.readBytes() - read).as("read").isLessThan(8 << 20);
            for (Path file : store.files()) {
                assertThat(Footprint.residentBytes(file)).as("resident pages").isZero();
            }
            assertThat(store.bytes()).isEqualTo(6 * GIB);

            TensorView rest = store.find("rest").orElseThrow();
            assertThat(rest.data().get(JAVA_BYTE, REST - 1)).isEqualTo((byte) 3);
            assertThat(Footprint.residentBytes(store.files().get(1)))
                    .as("pages of one touch, to see that they are counted")
                    .isBetween(1L, 8L << 20);
        }
    }

    @Test
    void readsBytesBehindTwoAndFourGibibytes() {
        try (TensorStore store = TensorStore.open(folder)) {
            MemorySegment wide = store.find("wide").orElseThrow().data();
            assertThat(wide.byteSize()).isEqualTo(WIDE);
            assertThat(wide.get(JAVA_BYTE, 0)).isEqualTo((byte) 1);
            assertThat(wide.get(JAVA_BYTE, 1)).isZero();
            assertThat(wide.get(JAVA_BYTE, WIDE - 1)).isEqualTo((byte) 2);
            assertThat(wide.get(JAVA_BYTE, 2 * GIB + 12_345)).isEqualTo((byte) 3);

            TensorView far = store.find("far").orElseThrow();
            assertThat(far.fileOffset()).isGreaterThan(WIDE);
            assertThat(far.data().get(JAVA_BYTE, 0)).isEqualTo((byte) 4);
            assertThat(far.data().get(JAVA_BYTE, 4 * GIB + 1 - WIDE)).isEqualTo((byte) 5);
            MemorySegment last = MemorySegment.ofArray(new byte[2]);
            far.copyTo(FAR - 2, last);
            assertThat(last.toArray(JAVA_BYTE)).containsExactly(0, 6);

            assertThat(store.find("small").orElseThrow().data().get(JAVA_BYTE, 3))
                    .isEqualTo((byte) 1);
            assertThat(store.find("rest").orElseThrow().data().get(JAVA_BYTE, 0))
                    .isEqualTo((byte) 2);
        }
    }
}
