package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A ceiling is only one if its loop does all the work that it is counted for. */
class CeilingLoopsTest {
    @Test
    void readsEveryLongOnce() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(64 << 10, CeilingLoops.ALIGNMENT);
            SplittableRandom random = new SplittableRandom(1);
            for (long at = 0; at < memory.byteSize(); at += Long.BYTES) {
                memory.set(ValueLayout.JAVA_LONG, at, random.nextLong());
            }
            assertThat(CeilingLoops.read(memory, 0, 64 << 10)).isEqualTo(sum(memory, 0, 64 << 10));
            assertThat(CeilingLoops.read(memory, 4096, 8192)).isEqualTo(sum(memory, 4096, 8192));
        }
    }

    private static long sum(MemorySegment memory, long from, long bytes) {
        long sum = 0;
        for (long at = from; at < from + bytes; at += Long.BYTES) {
            sum += memory.get(ValueLayout.JAVA_LONG, at);
        }
        return sum;
    }

    @Test
    void chainsDoAllTheirRounds() {
        int chains = 10;
        long lanes = CeilingLoops.multiplyAdds(1) / chains;
        assertThat(lanes).isIn(4L, 8L, 16L);
        for (int rounds : new int[] {0, 1, 5, 100}) {
            // After n rounds v is 1 + (v - 1) 0.75^n; the chains start at 1 to 10.
            double expected = lanes * (chains + 45 * Math.pow(0.75, rounds));
            assertThat((double) CeilingLoops.multiplyAdd(rounds)).isCloseTo(expected, within(1e-3));
        }
        assertThat(CeilingLoops.multiplyAdds(7)).isEqualTo(7L * chains * lanes);
    }

    @Test
    void measuresRates() {
        try (CeilingMeter meter = new CeilingMeter()) {
            Ceilings ceilings = meter.measure();
            assertThat(ceilings.readRate()).isFinite().isPositive();
            assertThat(ceilings.multiplyAddRate()).isFinite().isPositive();
        }
    }
}
