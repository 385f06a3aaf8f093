package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hotrow.emulator.Device.filled;

import java.util.stream.IntStream;
import org.hotrow.emulator.kernels.WrongKernels;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class ScheduleTest {
    private static final int[] ASCENDING = IntStream.range(0, 64).toArray();

    @Test
    void kernelThatIsRightInWorkItemOrderOnlyIsWrongInAnother() {
        assertThat(counts(Mode.FAST)).isEqualTo(ASCENDING);
        for (int seed = 1; seed <= 20; seed++) {
            assertThat(counts(Mode.FAST.withSeed(seed))).isNotEqualTo(ASCENDING).containsExactlyInAnyOrder(ASCENDING);
        }
    }

    @Test
    void kernelThatIsRightInGroupOrderOnlyIsWrongInAnother() {
        assertThat(chain(Mode.FAST)).isEqualTo(64);
        for (int seed = 1; seed <= 20; seed++) {
            assertThat(chain(Mode.FAST.withSeed(seed))).isNotEqualTo(64);
        }
    }

    @Test
    void seedDecidesTheOrder() {
        assertThat(counts(Mode.FAST.withSeed(7))).isEqualTo(counts(Mode.FAST.withSeed(7)));
        assertThat(counts(Mode.FAST.withSeed(7))).isNotEqualTo(counts(Mode.FAST.withSeed(8)));
    }

    @Test
    void orderChangesFromBarrierToBarrier() {
        Schedule schedule = new Schedule(1);
        int[] order = schedule.order(64);
        int[] first = order.clone();
        schedule.shuffle(order);

        assertThat(order).isNotEqualTo(first).containsExactlyInAnyOrder(ASCENDING);
    }

    private static int[] counts(Mode mode) {
        IntArray out = new IntArray(64);
        Device.of(mode, 64, 64).run(WrongKernels::orderDependent, out);
        return out.toHeapArray();
    }

    private static int chain(Mode mode) {
        IntArray data = filled(new IntArray(65));
        Device.of(mode, 64, 1).run(WrongKernels::groupOrderDependent, data);
        return data.get(64);
    }
}
