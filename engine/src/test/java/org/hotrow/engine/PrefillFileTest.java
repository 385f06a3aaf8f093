package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssertAlternative;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.SafetensorsFile;
import org.hotrow.modelloader.SafetensorsWriter;
import org.hotrow.modelloader.SafetensorsWriter.Tensor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that no import is taken from: each is refused by the file and the tensor or field, with what was expected. */
class PrefillFileTest {
    private static final int LENGTH = 130;
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final ModelAndText TEXT = ModelAndText.random("glm-tiny/tiny-bf16", LENGTH);

    @TempDir
    private static Path folder = Path.of("");

    private static Path good = Path.of("");

    private record Content(Tensor tensor, MemorySegment bytes) {}

    @BeforeAll
    static void export() {
        good = folder.resolve("good");
        try (Workers workers = new Workers(1);
                ModelDevice device = TEXT.device(FORMAT, workers, LENGTH, WalkProbe.NONE);
                ModelSession session = device.open(LENGTH)) {
            session.step(TEXT.text(), 0, LENGTH);
            new PrefillWriter(new PrefillLayout(TEXT.model(), FORMAT), device.cache(), session.residency())
                    .write(good, TEXT.text());
        }
    }

    @AfterAll
    static void close() {
        TEXT.close();
    }

    private static ThrowableAssertAlternative<RequestException> assertRefused(Path file) {
        return assertThatExceptionOfType(RequestException.class)
                .isThrownBy(() -> PrefillFile.open(file, TEXT.model(), FORMAT))
                .withMessageStartingWith(file + ": ");
    }

    /** The good file with something changed. */
    private static Path changed(UnaryOperator<Map<String, String>> metadata, UnaryOperator<Content> tensors)
            throws IOException {
        Path file = Files.createTempFile(folder, "changed", "");
        try (SafetensorsFile read = SafetensorsFile.open(good)) {
            List<Content> contents = new ArrayList<>();
            read.tensors().forEach((name, view) -> {
                Content content = tensors.apply(new Content(new Tensor(name, view.dtype(), view.shape()), view.data()));
                if (content.bytes.byteSize() > 0) {
                    contents.add(content);
                }
            });
            try (SafetensorsWriter writer = SafetensorsWriter.create(
                    file,
                    metadata.apply(new LinkedHashMap<>(read.metadata())),
                    contents.stream().map(Content::tensor).toList())) {
                for (Content content : contents) {
                    writer.write(content.bytes);
                }
                writer.finish();
            }
        }
        return file;
    }

    private static Path changedTensor(String name, UnaryOperator<Content> change) throws IOException {
        return changed(
                UnaryOperator.identity(),
                content -> content.tensor.name().equals(name) ? change.apply(content) : content);
    }

    private static Content zeros(String name, DType dtype, Long... shape) {
        Tensor tensor = new Tensor(name, dtype, List.of(shape));
        return new Content(tensor, MemorySegment.ofArray(new byte[(int) tensor.bytes()]));
    }

    @Test
    void theGoodFileIsTaken() throws IOException {
        Path same = changed(UnaryOperator.identity(), UnaryOperator.identity());
        assertThat(Files.mismatch(same, good)).isEqualTo(-1);
        try (PrefillFile file = PrefillFile.open(same, TEXT.model(), FORMAT)) {
            assertThat(file.tokens()).isEqualTo(TEXT.text());
        }
    }

    @Test
    void refusesAnotherGeometryWithBoth() {
        assertThatExceptionOfType(RequestException.class)
                .isThrownBy(() -> PrefillFile.open(good, TEXT.model(), CacheFormat.of(KvDtype.BF16)))
                .withMessageContaining("geometry: is \"layers=4 rows=fp8:656 keys=fp8:")
                .withMessageContaining("expected \"layers=4 rows=bf16:1152 keys=bf16:")
                .withMessageContaining("--kv-dtype");
        assertThatExceptionOfType(RequestException.class)
                .isThrownBy(() -> PrefillFile.open(good, TEXT.model(), new CacheFormat(KvDtype.FP8, KvDtype.BF16)))
                .withMessageContaining("rows=fp8:656 keys=fp8:")
                .withMessageContaining("rows=fp8:656 keys=bf16:");
    }

    @ParameterizedTest
    @ValueSource(strings = {"glm-tiny/tiny-fp8", "dsv32-tiny/tiny-fp8"})
    void refusesAnotherModel(String checkpoint) {
        try (Model other = Model.open(Golden.resource(checkpoint))) {
            assertThatExceptionOfType(RequestException.class)
                    .isThrownBy(() -> PrefillFile.open(good, other, FORMAT))
                    .withMessageStartingWith(good + ": " + (checkpoint.startsWith("glm") ? "model" : "geometry"));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "format, x, 'format: is \"x\", expected \"hotrow-prefill\"'",
        "version, 2, 'version: is \"2\", expected \"1\"'",
        "model, 00, 'model: is \"00\", expected'",
        "geometry, , 'geometry: is nothing, expected'"
    })
    void refusesOtherMetadata(String field, String value, String message) throws IOException {
        Path file = changed(
                metadata -> {
                    if (value == null) {
                        metadata.remove(field);
                    } else {
                        metadata.put(field, value);
                    }
                    return metadata;
                },
                UnaryOperator.identity());
        assertRefused(file).withMessageContaining(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"tokens", "rows.0", "rows.3", "keys.0"})
    void refusesMissingTensors(String name) throws IOException {
        assertRefused(changedTensor(name, content -> zeros(name, DType.U8, 0L)))
                .withMessageContaining(name + ": is missing");
    }

    @ParameterizedTest
    @CsvSource({
        "rows.2, U8, 130, 655",
        "rows.2, U8, 129, 656",
        "rows.2, I8, 130, 656",
        "keys.0, U8, 2, 0",
        "tokens, I32, 131, 1",
        "tokens, I64, 130, 0",
        "tokens, I32, 129, 0",
        "tokens, I32, 100000, 0"
    })
    void refusesOtherTypesAndShapes(String name, DType dtype, long rows, long width) throws IOException {
        Long[] shape = width == 0 ? new Long[] {rows} : new Long[] {rows, width};
        assertRefused(changedTensor(name, content -> zeros(name, dtype, shape))).withMessageContaining("expected");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 384})
    void refusesTokensOutsideOfTheVocabulary(int id) throws IOException {
        Path file = changedTensor("tokens", content -> {
            byte[] bytes = content.bytes.toArray(ValueLayout.JAVA_BYTE);
            MemorySegment changed = MemorySegment.ofArray(bytes);
            changed.set(ValueLayout.JAVA_INT_UNALIGNED, 7 * 4, id);
            return new Content(content.tensor, changed);
        });
        assertRefused(file)
                .withMessageContaining("tokens: has " + id + " at [7]")
                .withMessageContaining("vocabulary of 0 to " + (TEXT.config().vocabSize() - 1));
    }

    @Test
    void refusesCutFilesAndOthers() throws IOException {
        byte[] whole = Files.readAllBytes(good);
        Path cut = folder.resolve("cut");
        for (int length : new int[] {0, 1, 8, 100, 2000, whole.length / 2, whole.length - 1}) {
            Files.write(cut, Arrays.copyOf(whole, length));
            assertRefused(cut);
        }
        assertRefused(folder.resolve("none"));
        assertRefused(folder);
        assertRefused(Files.writeString(folder.resolve("text"), "no safetensors file at all"));
    }

    @Test
    void refusesAPromptThatBeginsOtherwise() {
        int first = TEXT.text()[0];
        try (PrefillFile file = PrefillFile.open(good, TEXT.model(), FORMAT)) {
            assertThatExceptionOfType(RequestException.class)
                    .isThrownBy(() -> file.of(new int[] {first ^ 1, 2}))
                    .withMessageStartingWith(good + ": tokens: begins with " + first + " and the prompt with "
                            + (first ^ 1) + " at [0]");
        }
    }

    /** sglang#26475: the transfer breaks off, everything is given back, and the request computes its rows itself. */
    @Test
    void aFileCutWhileItIsOpenFreesEverything() throws IOException {
        Path file = Files.copy(good, folder.resolve("shrinking"), StandardCopyOption.REPLACE_EXISTING);
        CacheConfig cache = new CacheConfig(KvPolicy.HYBRID, 10, 64, 8, LENGTH, 1, CacheConfig.NONE);
        try (PrefillFile prefill = PrefillFile.open(file, TEXT.model(), FORMAT);
                Workers workers = new Workers(1);
                ModelDevice device = TEXT.device(FORMAT, cache, workers, LENGTH, WalkProbe.NONE)) {
            Import rows = prefill.of(TEXT.text());
            try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
                cut.setLength(cut.length() / 2);
            }
            try (ModelSession session = device.open(LENGTH, Optional.of(rows))) {
                session.append(TEXT.text(), 0, LENGTH);
                assertThatExceptionOfType(EngineException.class)
                        .isThrownBy(() -> session.step(LENGTH))
                        .withMessageContaining("shrinking")
                        .withMessageContaining("cut short");
                device.cache().allocator().check();
                assertThat(device.cache().allocator().freeBlocks()).isEqualTo(9);
                assertThat(session.request().residency()).isEmpty();
                while (session.pending() > 0) {
                    session.step(LENGTH);
                }
                assertThat(session.cached()).isZero();
            }
        }
    }
}
