package org.hotrow.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class Bf16Test {
    @Test
    void everyCodeSurvivesARoundTrip() {
        for (int code = 0; code < 1 << 16; code++) {
            float value = Bf16.decode((short) code);
            int expected = Float.isNaN(value) ? code | 0x40 : code;
            assertThat(Bf16.encode(value)).as("code %x", code).isEqualTo((short) expected);
        }
    }

    @Test
    void everyFloatTakesTheNearestCodeTiesToEven() {
        for (int code = 0; code < 0x7F7F; code++) {
            double low = Bf16.decode((short) code);
            double high = Bf16.decode((short) (code + 1));
            float middle = (float) ((low + high) / 2);
            int even = code + (code & 1);
            assertThat(Bf16.encode(middle)).isEqualTo((short) even);
            assertThat(Bf16.encode(Math.nextDown(middle))).isEqualTo((short) code);
            assertThat(Bf16.encode(Math.nextUp(middle))).isEqualTo((short) (code + 1));
            assertThat(Bf16.encode(-middle)).isEqualTo((short) (even | 0x8000));
        }
    }

    @Test
    void decodesTheDefiningFields() {
        assertThat(Bf16.decode((short) 0x3F80)).isEqualTo(1f);
        assertThat(Bf16.decode((short) 0xC0A0)).isEqualTo(-5f);
        assertThat(Bf16.decode((short) 0x0001)).isEqualTo(Math.scalb(1f, -133));
        assertThat(Bf16.decode((short) 0x7F80)).isEqualTo(Float.POSITIVE_INFINITY);
    }

    @Test
    void overflowsToInfinityPastTheMiddle() {
        float largest = Bf16.decode((short) 0x7F7F);
        float middle = Float.intBitsToFloat(0x7F7F8000);
        assertThat(Bf16.decode(Bf16.encode(Math.nextDown(middle)))).isEqualTo(largest);
        assertThat(Bf16.decode(Bf16.encode(middle))).isEqualTo(Float.POSITIVE_INFINITY);
        assertThat(Bf16.decode(Bf16.encode(-Float.MAX_VALUE))).isEqualTo(Float.NEGATIVE_INFINITY);
    }

    @Test
    void keepsNaNWhoseLowBitsOnlyAreSet() {
        for (int bits : new int[] {0x7F800001, 0xFF800001, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FC00000}) {
            short code = Bf16.encode(Float.intBitsToFloat(bits));
            assertThat(Bf16.decode(code)).as("%x", bits).isNaN();
            assertThat(code & 0x40).as("%x is quiet", bits).isNotZero();
        }
    }
}
