package org.hotrow.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class E4m3Test {
    @Test
    void everyCodeSurvivesARoundTrip() {
        for (int code = 0; code < 256; code++) {
            boolean nan = (code & 127) == 127;
            assertThat(E4m3.encode(E4m3.decode((byte) code))).isEqualTo((byte) (nan ? 127 : code));
        }
    }

    @Test
    void everyFloatTakesTheNearestCodeTiesToEven() {
        for (int code = 0; code < 126; code++) {
            float low = E4m3.decode((byte) code);
            float high = E4m3.decode((byte) (code + 1));
            float middle = (low + high) / 2;
            int even = code + (code & 1);
            assertThat(E4m3.encode(middle)).isEqualTo((byte) even);
            assertThat(E4m3.encode(Math.nextDown(middle))).isEqualTo((byte) code);
            assertThat(E4m3.encode(Math.nextUp(middle))).isEqualTo((byte) (code + 1));
            assertThat(E4m3.encode(-middle)).isEqualTo((byte) (even | 0x80));
        }
    }

    @Test
    void saturatesAndKeepsNaN() {
        assertThat(E4m3.encode(449f)).isEqualTo((byte) 126);
        assertThat(E4m3.encode(Float.POSITIVE_INFINITY)).isEqualTo((byte) 126);
        assertThat(E4m3.encode(Float.NEGATIVE_INFINITY)).isEqualTo((byte) 0xFE);
        assertThat(E4m3.encode(Float.NaN)).isEqualTo((byte) 127);
        assertThat(E4m3.encode(-0f)).isEqualTo((byte) 0x80);
    }

    @Test
    void agreesWithTheGoldenTableAndCasts() {
        Goldens goldens = Goldens.load("golden_kernels");
        float[] table = goldens.floats("e4m3_table");
        for (int code = 0; code < 256; code++) {
            assertThat(E4m3.decode((byte) code)).isEqualTo(Float.valueOf(table[code]));
        }
        float[] values = goldens.floats("e4m3_cast_in");
        byte[] codes = goldens.bytes("e4m3_cast_out");
        for (int i = 0; i < values.length; i++) {
            assertThat(E4m3.encode(values[i])).as("%s", values[i]).isEqualTo(codes[i]);
        }
    }
}
