package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.hotrow.emulator.kernels.RightKernels;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class SwizzleTest {
    @Test
    void moves16BytesByTheirBlockOf128() {
        assertThat(Swizzle.wide(127)).isEqualTo(127);
        assertThat(Swizzle.wide(128)).isEqualTo(144);
        assertThat(Swizzle.wide(7 * 128 + 35)).isEqualTo(7 * 128 + 5 * 16 + 3);
        assertThat(Swizzle.wide(8 * 128 + 35)).isEqualTo(8 * 128 + 35);
    }

    @Test
    void narrowMoves8BytesByTheirBlockOf64() {
        assertThat(Swizzle.narrow(63)).isEqualTo(63);
        assertThat(Swizzle.narrow(64)).isEqualTo(72);
        assertThat(Swizzle.narrow(7 * 64 + 19)).isEqualTo(7 * 64 + 5 * 8 + 3);
    }

    @Test
    void eachIsItsOwnInverse() {
        assertThat(IntStream.range(0, 4096)).allMatch(i -> Swizzle.wide(Swizzle.wide(i)) == i);
        assertThat(IntStream.range(0, 4096)).allMatch(i -> Swizzle.narrow(Swizzle.narrow(i)) == i);
    }

    @Test
    void kernelsReadBackWhatOthersWrote() {
        IntArray out = new IntArray(3 * 512);
        Device.of(Mode.CHECKED.withSeed(2), 512, 512).run(RightKernels::swizzled, out);

        for (int i = 0; i < 512; i++) {
            assertThat(out.get(3 * i)).isEqualTo(511 - i);
            assertThat(out.get(3 * i + 1)).isEqualTo(511 - i);
            assertThat(out.get(3 * i + 2)).isEqualTo((byte) (511 - i));
        }
    }
}
