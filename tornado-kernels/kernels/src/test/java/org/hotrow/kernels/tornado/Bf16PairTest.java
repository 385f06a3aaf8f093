package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import org.hotrow.kernels.Bf16;
import org.hotrow.kernels.E4m3;
import org.junit.jupiter.api.Test;

/** Against the codec of the CPU. */
class Bf16PairTest {
    @Test
    void roundsAsTheCodecDoes() {
        for (int upper = 0; upper < 1 << 16; upper++) {
            for (int lower : new int[] {0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF}) {
                int bits = upper << 16 | lower;
                float value = Float.intBitsToFloat(bits);
                int rounded = Bf16Pair.round(bits, 0x3F800000);
                if (Float.isNaN(value)) {
                    assertThat(Bf16.decode((short) rounded)).isNaN();
                } else {
                    assertThat((short) rounded).as("%x", bits).isEqualTo(Bf16.encode(value));
                }
                assertThat(rounded >> 16).isEqualTo(0x3F80);
            }
        }
    }

    @Test
    void scalesEveryCode() {
        for (int code = 0; code < 256; code++) {
            float value = E4m3.decode((byte) code);
            int bits = SparseMlaTensor.codes().get(code);
            for (int exponent = -100; exponent <= 100; exponent += 25) {
                int pair = Bf16Pair.scaled(bits, bits, exponent);
                Float expected = Math.scalb(value, exponent);
                assertThat((Float) Bf16.decode((short) pair)).isEqualTo(expected);
                assertThat((Float) Bf16.decode((short) (pair >> 16))).isEqualTo(expected);
            }
        }
    }
}
