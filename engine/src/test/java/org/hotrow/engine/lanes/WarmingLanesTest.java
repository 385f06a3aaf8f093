package org.hotrow.engine.lanes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WarmingLanesTest {
    /** Starts in plain Java; the first lone row begins the warm-up, whose end shows; sums stay what they were. */
    @Test
    void goesOverToTheVectorApiWhenItIsCompiled() throws InterruptedException {
        Lanes vector = Lanes.vector();
        Lanes warming = new WarmingLanes(vector);
        assertThat(warming.name()).isEqualTo("plain");
        assertThat(warming.now()).isSameAs(warming);
        float[] out = new float[16];
        float[] expected = new float[16];
        try (Arena memory = Arena.ofConfined()) {
            PackedMatrix matrix =
                    new MatrixPacker(memory).pack(Packing.F32, 16, 4, (first, n, to) -> to.fill((byte) 1));
            float[] x = {1, 2, 3, 4};
            Lanes.plain().decodeTile(matrix, 0, 0, x, 0, 0, 1, expected, 0);
            warming.decodeTile(matrix, 0, 0, x, 0, 0, 1, out, 0);
            assertThat(out).isEqualTo(expected);
        }
        long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (warming.now() == warming && System.nanoTime() < end) {
            Thread.sleep(20);
        }
        assertThat(warming.now()).isSameAs(vector);
        assertThat(warming.name()).isEqualTo("vector");
    }

    @Test
    void theModesChooseAndSayWhy() {
        LanesChoice off = LanesChoice.of(LanesChoice.Mode.off);
        assertThat(off.lanes().name()).isEqualTo("plain");
        assertThat(off.reason()).isEqualTo("plain Java, as asked for");
        assertThat(off.degraded()).isFalse();
        if (VectorLanes.preferredBits() >= VectorLanes.bits()) {
            assertThat(LanesChoice.of(LanesChoice.Mode.on).lanes().name()).isEqualTo("vector");
            assertThat(LanesChoice.of(LanesChoice.Mode.auto).lanes()).isInstanceOf(WarmingLanes.class);
        } else {
            assertThat(LanesChoice.of(LanesChoice.Mode.auto).degraded()).isTrue();
            assertThatThrownBy(() -> LanesChoice.of(LanesChoice.Mode.on)).hasMessageContaining("bits");
        }
    }
}
