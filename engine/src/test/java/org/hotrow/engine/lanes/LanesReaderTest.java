package org.hotrow.engine.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.hotrow.kernels.ValueReader;
import org.junit.jupiter.api.Test;

/** The vector reader against the plain one, on every code, at odd offsets and lengths. */
class LanesReaderTest {
    private final Lanes vector = Lanes.vector();

    @Test
    void everyE4m3CodeDecodesAsItsDefinition() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment codes = arena.allocate(300);
            for (int i = 0; i < 300; i++) {
                codes.set(ValueLayout.JAVA_BYTE, i, (byte) i);
            }
            for (int count : new int[] {0, 1, 7, 8, 9, 128, 256, 297}) {
                for (float scale : new float[] {1, 0x1p-14f, 0.37f, 3e4f}) {
                    float[] expected = new float[300];
                    float[] actual = new float[300];
                    ValueReader.PLAIN.e4m3(codes, 3, count, scale, expected, 2);
                    vector.e4m3(codes, 3, count, scale, actual, 2);
                    assertThat(actual).as("%d codes times %s", count, scale).isEqualTo(expected);
                }
            }
        }
    }

    @Test
    void everyBf16CodeDecodesToItsBits() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment codes = arena.allocate(2L * 65_536 + 1);
            for (int i = 0; i < 65_536; i++) {
                codes.set(ValueLayout.JAVA_SHORT_UNALIGNED, 1 + 2L * i, (short) i);
            }
            for (int count : new int[] {0, 1, 7, 8, 9, 65_536}) {
                int[] actual = bits(vector, codes, count);
                assertThat(actual).isEqualTo(bits(ValueReader.PLAIN, codes, count));
            }
        }
    }

    private static int[] bits(ValueReader reader, MemorySegment codes, int count) {
        float[] values = new float[count + 1];
        reader.bf16(codes, 1, count, values, 1);
        int[] bits = new int[count + 1];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return bits;
    }
}
