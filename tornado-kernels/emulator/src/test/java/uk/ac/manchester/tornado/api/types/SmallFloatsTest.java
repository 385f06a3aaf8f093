package uk.ac.manchester.tornado.api.types;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each code to its value and back, and the roundings at which implementations differ. */
class SmallFloatsTest {
    @Test
    void e4m3CodesHaveTheValuesOfTheirDefinition() {
        for (int code = 0; code < 256; code++) {
            boolean nan = (code & 0x7F) == 0x7F;
            assertValue(FP8.e4m3ToFloat((byte) code), nan ? Double.NaN : FloatFormat.E4M3.value(code), code);
        }
        assertThat(FP8.e4m3ToFloat((byte) 0x7E)).isEqualTo(FP8.E4M3_MAX);
    }

    @Test
    void e5m2CodesHaveTheValuesOfTheirDefinition() {
        for (int code = 0; code < 256; code++) {
            int magnitude = code & 0x7F;
            double infinity = code < 128 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
            double finiteOrInfinite = magnitude == 0x7C ? infinity : FloatFormat.E5M2.value(code);
            assertValue(FP8.e5m2ToFloat((byte) code), magnitude > 0x7C ? Double.NaN : finiteOrInfinite, code);
        }
        assertThat(FP8.e5m2ToFloat((byte) 0x7B)).isEqualTo(FP8.E5M2_MAX);
    }

    @Test
    void bfloat16CodesHaveTheValuesOfTheirDefinition() {
        for (int code = 0; code < FloatFormat.BF16.codes(); code++) {
            if ((code & 0x7F80) != 0x7F80) {
                assertValue(BFloat16.bf16ToFloat((short) code), FloatFormat.BF16.value(code), code);
            }
        }
        assertThat(BFloat16.bf16ToFloat((short) 0xFF80)).isEqualTo(Float.NEGATIVE_INFINITY);
        assertThat(BFloat16.bf16ToFloat((short) 0x7F81)).isNaN();
    }

    @Test
    void halfCodesHaveTheValuesOfTheirDefinition() {
        for (int code = 0; code < FloatFormat.HALF.codes(); code++) {
            HalfFloat half = new HalfFloat((short) code);
            assertThat(half.getHalfFloatValue()).isEqualTo((short) code);
            if ((code & 0x7C00) != 0x7C00) {
                assertValue(half.getFloat32(), FloatFormat.HALF.value(code), code);
            }
        }
        assertThat(new HalfFloat((short) 0x7C00).getFloat32()).isEqualTo(Float.POSITIVE_INFINITY);
        assertThat(new HalfFloat((short) 0xFC01).getFloat32()).isNaN();
    }

    @Test
    void valuesAreRoundedToTheNearestE4m3() {
        for (float value : inputs(FloatFormat.E4M3)) {
            assertCode(FP8.e4m3FromFloat(value) & 0xFF, FloatFormat.E4M3, value);
        }
    }

    @Test
    void valuesAreRoundedToTheNearestE5m2() {
        for (float value : inputs(FloatFormat.E5M2)) {
            assertCode(FP8.e5m2FromFloat(value) & 0xFF, FloatFormat.E5M2, value);
        }
    }

    @Test
    void valuesAreRoundedToTheNearestBfloat16() {
        for (float value : inputs(FloatFormat.BF16)) {
            assertCode(BFloat16.bf16FromFloat(value) & 0xFFFF, FloatFormat.BF16, value);
        }
    }

    @Test
    void valuesAreRoundedToTheNearestHalf() {
        for (float value : inputs(FloatFormat.HALF)) {
            assertCode(new HalfFloat(value).getHalfFloatValue() & 0xFFFF, FloatFormat.HALF, value);
        }
    }

    /** What the format itself makes critical, and all halves and all bfloat16 numbers. */
    private static List<Float> inputs(FloatFormat format) {
        List<Float> values = new ArrayList<>(format.critical());
        for (int code = 0; code < 1 << 16; code++) {
            values.add(Float.float16ToFloat((short) code));
            values.add(Float.intBitsToFloat(code << 16));
        }
        return values;
    }

    private static void assertValue(float actual, double expected, int code) {
        if (Double.doubleToLongBits(actual) != Double.doubleToLongBits(expected)) {
            assertThat(actual).as("code %x", code).isEqualTo((float) expected);
        }
    }

    private static void assertCode(int actual, FloatFormat format, float value) {
        int expected = format.nearest(value);
        if (actual != expected) {
            assertThat(Integer.toHexString(actual)).as("%s", value).isEqualTo(Integer.toHexString(expected));
        }
    }
}
