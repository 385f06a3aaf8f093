package org.hotrow.bench;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hotrow.kernels.Bf16;
import org.hotrow.kernels.E4m3;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.SafetensorsFile;
import org.hotrow.modelloader.SafetensorsWriter;
import org.hotrow.modelloader.SafetensorsWriter.Tensor;
import org.hotrow.modelloader.TensorView;

/**
 * A checkpoint of random weights with the shapes of the demo model and {@value #POSITIONS} positions, for what long
 * contexts cost; it says nothing.
 *
 * <pre>
 * norms       1 + 0.1 g               g: normal, by seed and the tensor's name
 * biases      0.02 g
 * matrices    g / sqrt(columns)       FP8: the code of 32 g, with one scale, the power of two nearest 1 / (32 sqrt(columns))
 * </pre>
 *
 * All other files are the demo model's. The same seed gives the same bytes.
 */
final class RandomCheckpoint {
    static final int POSITIONS = 131_072;

    private static final String MODEL = "model.safetensors";
    private static final String CONFIG = "config.json";
    private static final String SCALES = "_scale_inv";
    private static final double CODE_SIZE = 32;
    private static final List<String> COPIED =
            List.of("generation_config.json", "tokenizer.json", "tokenizer_config.json", "chat_template.jinja");
    private static final Pattern CONTEXT = Pattern.compile("(\"max_position_embeddings\":\\s*)\\d+");
    private static final ValueLayout.OfShort BF16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfFloat F32 = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final SafetensorsFile like;
    private final long seed;

    private RandomCheckpoint(SafetensorsFile like, long seed) {
        this.like = like;
        this.seed = seed;
    }

    /** {@code RandomCheckpoint MODEL FOLDER [SEED]}; exits with 1 if a file can't be read or written, with 2 on usage. */
    public static void main(String... args) {
        if (args.length < 2 || args.length > 3 || !(args.length == 2 || args[2].matches("-?\\d{1,18}"))) {
            System.err.println("usage: random-checkpoint FOLDER [SEED]");
            System.exit(2);
        }
        try {
            write(Path.of(args[0]), Path.of(args[1]), args.length == 3 ? Long.parseLong(args[2]) : 1);
        } catch (IOException | ModelFormatException e) {
            System.err.println("random-checkpoint: " + e.getMessage());
            System.exit(1);
        }
    }

    /**
     * Writes a checkpoint.
     *
     * @param like the demo model's folder
     * @param folder is made; files in it are replaced
     * @throws IOException if a file can't be read or written
     * @throws ModelFormatException if the demo model is broken
     */
    static void write(Path like, Path folder, long seed) throws IOException {
        Files.createDirectories(folder);
        String config = Files.readString(like.resolve(CONFIG), StandardCharsets.UTF_8);
        Matcher context = CONTEXT.matcher(config);
        if (!context.find()) {
            throw new ModelFormatException(like.resolve(CONFIG), "max_position_embeddings", "is missing");
        }
        Files.writeString(folder.resolve(CONFIG), context.replaceFirst("$1" + POSITIONS), StandardCharsets.UTF_8);
        for (String file : COPIED) {
            Files.write(folder.resolve(file), Files.readAllBytes(like.resolve(file)));
        }
        try (SafetensorsFile tensors = SafetensorsFile.open(like.resolve(MODEL))) {
            new RandomCheckpoint(tensors, seed).write(folder.resolve(MODEL));
        }
    }

    private void write(Path file) throws IOException {
        List<Tensor> tensors = like.tensors().values().stream()
                .map(view -> new Tensor(view.name(), view.dtype(), view.shape()))
                .toList();
        try (SafetensorsWriter writer = SafetensorsWriter.create(file, Map.of("format", "pt"), tensors)) {
            for (Tensor tensor : tensors) {
                writer.write(values(tensor));
            }
            writer.finish();
        }
    }

    private MemorySegment values(Tensor tensor) {
        MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(tensor.bytes())]);
        int count = Math.toIntExact(tensor.bytes() * Byte.SIZE / tensor.dtype().bits());
        SplittableRandom random =
                new SplittableRandom(seed * 1_000_003 + tensor.name().hashCode());
        boolean scales = tensor.name().endsWith(SCALES);
        for (int i = 0; i < count; i++) {
            double value = scales ? scale(tensor) : value(tensor, random.nextGaussian());
            switch (tensor.dtype()) {
                case F8_E4M3 -> bytes.set(ValueLayout.JAVA_BYTE, i, E4m3.encode((float) value));
                case BF16 -> bytes.setAtIndex(BF16, i, Bf16.encode((float) value));
                case F32 -> bytes.setAtIndex(F32, i, (float) value);
                default ->
                    throw new ModelFormatException(
                            like.file(), tensor.name(), "is " + tensor.dtype() + ", expected F8_E4M3, BF16 or F32");
            }
        }
        return bytes;
    }

    private static double value(Tensor tensor, double normal) {
        if (tensor.shape().size() == 1) {
            return tensor.name().endsWith("bias") ? 0.02 * normal : 1 + 0.1 * normal;
        }
        return tensor.dtype() == DType.F8_E4M3
                ? CODE_SIZE * normal
                : normal / Math.sqrt(tensor.shape().getLast());
    }

    private double scale(Tensor scales) {
        String matrix = scales.name().substring(0, scales.name().length() - SCALES.length());
        TensorView view = Objects.requireNonNull(like.tensors().get(matrix), matrix);
        double wanted = 1 / (CODE_SIZE * Math.sqrt(view.shape().getLast()));
        return Math.scalb(1.0, (int) Math.rint(Math.log(wanted) / Math.log(2)));
    }
}
