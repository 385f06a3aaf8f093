package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.hotrow.kernels.Bf16;
import org.hotrow.kernels.E4m3;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** {@link Fp8Codes} and {@link Exponents} on the device against the definitions of the formats. */
class NumberCodesTest {
    private static final int VALUES = 4096;

    static void encodeBoth(
            KernelContext context, FloatArray values, FloatArray exponents, IntArray e4m3, IntArray bf16) {
        int i = context.globalIdx;
        e4m3.set(i, Fp8Codes.encode(values.get(i)));
        bf16.set(i, Exponents.encodeBf16(exponents, values.get(i)));
    }

    static void decodeBf16(KernelContext context, FloatArray exponents, FloatArray values) {
        int i = context.globalIdx;
        values.set(i, Exponents.decodeBf16(exponents, i));
    }

    static void decodeE4m3(KernelContext context, LongArray words, FloatArray table, FloatArray values, int cuda) {
        int i = context.globalIdx;
        long word = words.get(i);
        values.set(8 * i, Fp8Codes.decode(table, word, 0, cuda));
        values.set(8 * i + 1, Fp8Codes.decode(table, word, 8, cuda));
        values.set(8 * i + 2, Fp8Codes.decode(table, word, 16, cuda));
        values.set(8 * i + 3, Fp8Codes.decode(table, word, 24, cuda));
        values.set(8 * i + 4, Fp8Codes.decode(table, word, 32, cuda));
        values.set(8 * i + 5, Fp8Codes.decode(table, word, 40, cuda));
        values.set(8 * i + 6, Fp8Codes.decode(table, word, 48, cuda));
        values.set(8 * i + 7, Fp8Codes.decode(table, word, 56, cuda));
    }

    @Test
    void encodesAsTheFormatsDefine() {
        FloatArray values = FloatArray.fromArray(awkward());
        FloatArray exponents = Exponents.table();
        IntArray e4m3 = new IntArray(VALUES);
        IntArray bf16 = new IntArray(VALUES);

        Device.run(
                (graph, grids) -> {
                    Grids.add(graph, grids, "encode", VALUES, 64);
                    graph.task(
                            "encode", NumberCodesTest::encodeBoth, new KernelContext(), values, exponents, e4m3, bf16);
                },
                values,
                exponents,
                e4m3,
                bf16);

        for (int i = 0; i < VALUES; i++) {
            float value = values.get(i);
            int nan = Float.isNaN(value) ? 0 : 1;
            assertThat((byte) e4m3.get(i)).as("e4m3 of %s", value).isEqualTo(E4m3.encode(nan == 0 ? Float.NaN : value));
            assertThat((short) bf16.get(i))
                    .as("bf16 of %s", value)
                    .isEqualTo(Bf16.encode(nan == 0 ? Float.NaN : value));
        }
    }

    @Test
    void decodesAllBf16Codes() {
        FloatArray exponents = Exponents.table();
        FloatArray values = new FloatArray(1 << 16);

        Device.run(
                (graph, grids) -> {
                    Grids.add(graph, grids, "decode", values.getSize(), 64);
                    graph.task("decode", NumberCodesTest::decodeBf16, new KernelContext(), exponents, values);
                },
                exponents,
                values);

        for (int code = 0; code < values.getSize(); code++) {
            assertThat(values.get(code)).as("code %x", code).isEqualTo(Float.valueOf(Bf16.decode((short) code)));
        }
    }

    @Test
    void decodesAllE4m3CodesInAllPlacesOfAWord() {
        decodesE4m3(Variant.PORTABLE);
    }

    @Test
    void decodesAllE4m3CodesByTheConversionInstruction() {
        Device.assumeWarps();
        decodesE4m3(Variant.CUDA);
    }

    private static void decodesE4m3(Variant variant) {
        LongArray words = new LongArray(256);
        for (int i = 0; i < 256; i++) {
            long word = 0;
            for (int at = 0; at < 8; at++) {
                word |= ((i * 0x9DL + at * 31L) & 0xFF) << (8 * at);
            }
            words.set(i, word);
        }
        FloatArray table = Fp8Codes.table();
        FloatArray values = new FloatArray(2048);

        Device.run(
                (graph, grids) -> {
                    Grids.add(graph, grids, "decode", 256, 64);
                    graph.task(
                            "decode",
                            NumberCodesTest::decodeE4m3,
                            new KernelContext(),
                            words,
                            table,
                            values,
                            variant.cuda());
                },
                words,
                table,
                values);

        for (int i = 0; i < 2048; i++) {
            byte code = (byte) (words.get(i / 8) >> (8 * (i % 8)));
            assertThat(values.get(i)).as("code %x", code).isEqualTo(Float.valueOf(E4m3.decode(code)));
        }
    }

    /** Both zeros, what is not finite, extremes, all codes' values and the middles between them, and random bits. */
    private static float[] awkward() {
        float[] values = new float[VALUES];
        float[] special = {
            0f,
            -0f,
            Float.NaN,
            -Float.NaN,
            Float.POSITIVE_INFINITY,
            Float.NEGATIVE_INFINITY,
            Float.MIN_VALUE,
            -Float.MIN_VALUE,
            Float.MAX_VALUE,
            -Float.MAX_VALUE,
            Float.MIN_NORMAL,
            448,
            449,
            464,
            480,
            Float.MIN_VALUE
        };
        System.arraycopy(special, 0, values, 0, special.length);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = special.length; i < VALUES; i++) {
            float code = E4m3.decode((byte) i);
            float next = E4m3.decode((byte) (i + 1));
            values[i] = switch (i / 512) {
                case 0 -> code;
                case 1 -> (code + next) / 2;
                case 2 -> Math.nextUp((code + next) / 2);
                case 3 -> Math.nextDown((code + next) / 2);
                case 4 -> Float.intBitsToFloat(random.nextInt() & 0xFFFF8000);
                case 5 -> Float.intBitsToFloat(random.nextInt() & 0x80FFFFFF);
                default -> Float.intBitsToFloat(random.nextInt());
            };
        }
        return values;
    }
}
