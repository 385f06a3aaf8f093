package org.hotrow.modelloader;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random files: what is accepted keeps the promises of the format, anything else is refused and never worse. */
class SafetensorsPropertyTest {
    private static final int ROUNDS = 1_000;
    private static final List<DType> DTYPES = List.of(DType.values());

    @TempDir
    private Path folder;

    /** Ways to damage a file at random. */
    enum Damage {
        /** Flips one to three bits anywhere. */
        FLIP {
            @Override
            byte[] apply(byte[] file, RandomGenerator random) {
                byte[] copy = file.clone();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    copy[random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
                }
                return copy;
            }
        },
        /** Cuts the file, or appends to it. */
        RESIZE {
            @Override
            byte[] apply(byte[] file, RandomGenerator random) {
                return Arrays.copyOf(file, random.nextInt(file.length + 20));
            }
        },
        /** Replaces a piece of the file by another piece of it, of any length. */
        SPLICE {
            @Override
            byte[] apply(byte[] file, RandomGenerator random) {
                ByteBuffer spliced = ByteBuffer.allocate(2 * file.length);
                int cut = random.nextInt(file.length);
                int from = random.nextInt(file.length);
                int length = Math.min(random.nextInt(12), file.length - from);
                int skipped = random.nextBoolean() ? length : random.nextInt(12);
                spliced.put(file, 0, cut).put(file, from, length);
                int rest = Math.min(cut + skipped, file.length);
                spliced.put(file, rest, file.length - rest);
                return Arrays.copyOf(spliced.array(), spliced.position());
            }
        },
        /** Changes one digit of the header, or two: the text stays JSON, the numbers may fit or not. */
        DIGIT {
            @Override
            byte[] apply(byte[] file, RandomGenerator random) {
                byte[] copy = file.clone();
                for (int changes = random.nextInt(1, 3); changes > 0; ) {
                    int at = random.nextInt(Long.BYTES, Long.BYTES + ModelFiles.HEADER.length());
                    if (copy[at] >= '0' && copy[at] <= '9') {
                        copy[at] = (byte) random.nextInt('0', '9' + 1);
                        changes--;
                    }
                }
                return copy;
            }
        };

        abstract byte[] apply(byte[] file, RandomGenerator random);
    }

    @ParameterizedTest
    @EnumSource
    void damagedFilesAreRefusedOrSound(Damage damage) throws IOException {
        var random = new Random(20_260_101);
        byte[] valid = ModelFiles.bytes(ModelFiles.HEADER, ModelFiles.data());
        Path path = folder.resolve("damaged.safetensors");
        int accepted = 0;
        for (int round = 0; round < ROUNDS; round++) {
            byte[] content = damage.apply(valid, random);
            Files.write(path, content);
            try (SafetensorsFile file = SafetensorsFile.open(path)) {
                assertSound(file, content);
                accepted++;
            } catch (ModelFormatException e) {
                assertThat(e).hasMessageStartingWith(path + ": ");
            } catch (RuntimeException | Error e) {
                throw new AssertionError("round " + round + ": " + Arrays.toString(content), e);
            }
        }
        assertThat(accepted).as("accepted of " + ROUNDS).isBetween(1, ROUNDS - 100);
    }

    /** The promises of the format, counted anew from the bytes of the file. */
    private static void assertSound(SafetensorsFile file, byte[] content) {
        long dataStart =
                8 + ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getLong();
        var byOffset = new ArrayList<>(file.tensors().values());
        byOffset.sort(Comparator.comparingLong(TensorView::fileOffset)
                .thenComparingLong(tensor -> tensor.data().byteSize()));
        long next = dataStart;
        for (TensorView tensor : byOffset) {
            long bytes = tensor.data().byteSize();
            BigInteger bits = BigInteger.valueOf(tensor.dtype().bits());
            for (long dimension : tensor.shape()) {
                bits = bits.multiply(BigInteger.valueOf(dimension));
            }
            assertThat(BigInteger.valueOf(bytes).shiftLeft(3)).as(tensor.name()).isEqualTo(bits);
            assertThat(tensor.fileOffset()).as(tensor.name()).isEqualTo(next);
            next += bytes;
            byte[] expected = Arrays.copyOfRange(content, (int) tensor.fileOffset(), (int) next);
            assertThat(tensor.data().toArray(JAVA_BYTE)).as(tensor.name()).isEqualTo(expected);
        }
        assertThat(next).isEqualTo(content.length);
    }

    private record Written(String name, DType dtype, List<Long> shape, int bytes) {}

    @Test
    void readsBackWhatWasWritten() throws IOException {
        var random = new Random(7);
        for (int round = 0; round < 300; round++) {
            Map<String, String> metadata = new LinkedHashMap<>();
            for (int i = random.nextInt(4); i > 0; i--) {
                metadata.put(i + randomText(random, 0), randomText(random, 0));
            }
            var written = new ArrayList<Written>();
            for (int i = random.nextInt(12); i > 0; i--) {
                written.add(randomTensor(i + randomText(random, 0x20), random));
            }
            byte[] content = write(metadata, written, random);
            Path path = Files.write(folder.resolve("random.safetensors"), content);
            try (SafetensorsFile file = SafetensorsFile.open(path)) {
                assertThat(file.metadata()).isEqualTo(metadata);
                assertThat(file.tensors().values().stream()
                                .map(tensor -> new Written(tensor.name(), tensor.dtype(), tensor.shape(), (int)
                                        tensor.data().byteSize())))
                        .containsExactlyElementsOf(written);
                assertSound(file, content);
            }
        }
    }

    private static Written randomTensor(String name, RandomGenerator random) {
        DType dtype = DTYPES.get(random.nextInt(DTYPES.size()));
        var shape = new ArrayList<Long>();
        long elements = 1;
        for (int rank = random.nextInt(5); rank > 0; rank--) {
            shape.add(random.nextLong(6));
            elements *= shape.getLast();
        }
        if (elements * dtype.bits() % 8 != 0) {
            shape.add(4L);
            elements *= 4;
        }
        return new Written(name, dtype, shape, (int) (elements * dtype.bits() / 8));
    }

    /** Text of any script, all of it characters from {@code lowest} on that may stand in a name. */
    private static String randomText(RandomGenerator random, int lowest) {
        int[] choices = {lowest, 'a', '"', '\\', '/', '.', '~', 0xE9, 0x4E2D, 0xFFFD, 0x1F600, 0x10FFFD};
        var text = new StringBuilder();
        for (int i = random.nextInt(9); i > 0; i--) {
            text.appendCodePoint(choices[random.nextInt(choices.length)]);
        }
        return text.toString();
    }

    /** Writes the tensors' data in an order of its own. */
    private static byte[] write(Map<String, String> metadata, List<Written> tensors, Random random) {
        var order = new ArrayList<>(tensors);
        Collections.shuffle(order, random);
        var begins = new LinkedHashMap<String, Integer>();
        int end = 0;
        for (Written tensor : order) {
            begins.put(tensor.name(), end);
            end += tensor.bytes();
        }
        var entries = new ArrayList<String>();
        for (Written tensor : tensors) {
            int begin = begins.getOrDefault(tensor.name(), -1);
            entries.add(
                    quote(tensor.name(), random) + ": {\"data_offsets\": [" + begin + ", " + (begin + tensor.bytes())
                            + "], \"shape\": " + tensor.shape() + ", \"dtype\": \"" + tensor.dtype() + "\"}");
        }
        if (!metadata.isEmpty()) {
            var texts = new ArrayList<String>();
            metadata.forEach((name, text) -> texts.add(quote(name, random) + ":" + quote(text, random)));
            entries.add(random.nextInt(entries.size() + 1), "\"__metadata__\": {" + String.join(",", texts) + "}");
        }
        byte[] data = new byte[end];
        random.nextBytes(data);
        String header = "{" + String.join(",", entries) + "}" + " ".repeat(random.nextInt(9));
        return ModelFiles.bytes(header.getBytes(StandardCharsets.UTF_8), data);
    }

    /** A JSON string; a character is escaped where it must be, and sometimes where it need not be. */
    private static String quote(String text, RandomGenerator random) {
        var json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean must = c < 0x20 || c == '"' || c == '\\';
            boolean may = !Character.isSurrogate(c) && random.nextInt(4) == 0;
            if (must || may) {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
