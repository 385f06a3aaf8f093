package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.hotrow.emulator.Launch.Extent;
import org.hotrow.emulator.kernels.MeteredKernels;
import org.hotrow.emulator.kernels.RightKernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task3;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.FP8Array;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.HalfFloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** Counts that paper and pencil give. The order of work-items changes none. */
class MeterTest {
    private static TaskMeter meter() {
        return Objects.requireNonNull(Emulator.meter("test.task"));
    }

    private static Device grid(int global, int local) {
        return Device.of(Mode.METERED.withSeed(5), global, local);
    }

    /** A warp's 32 floats lie in 4 sectors side by side, and each in its own from a stride of 8 on. */
    @ParameterizedTest
    @CsvSource({"1, 4", "2, 8", "4, 16", "8, 32", "16, 32"})
    void stridedReadsUsePartOfTheirSectors(int stride, int sectorsOfAWarp) {
        grid(128, 64).run(MeteredKernels::strided, new FloatArray(128 * stride), new FloatArray(128), stride);

        TaskMeter.Array in = meter().array("in");
        assertThat(in).isEqualTo(new TaskMeter.Array("in", 4, 512, 0, 512, 0, 512, 4 * 32L * sectorsOfAWarp));
        assertThat(in.sectorUse()).isEqualTo(4.0 / sectorsOfAWarp);
        assertThat(meter().array("out")).isEqualTo(new TaskMeter.Array("out", 4, 0, 512, 0, 512, 512, 512));
        assertThat(meter().groups()).isEqualTo(2);
        assertThat(meter().barriers()).isZero();
        assertThat(meter().uniqueBytes()).isEqualTo(1024);
    }

    @Test
    void whatAllLanesReadIsFetchedOncePerWarpAndUniqueOnce() {
        grid(128, 64).run(MeteredKernels::sameForAll, new LongArray(10), new LongArray(128));

        assertThat(meter().array("in"))
                .isEqualTo(new TaskMeter.Array("in", 8, 128 * 80, 0, 80, 0, 4 * 80, 4 * 10 * 32));
        assertThat(meter().requestedBytes()).isEqualTo(128 * 80 + 128 * 8);
    }

    @Test
    void lanesMeetByOccurrence() {
        grid(32, 32).run(MeteredKernels::ragged, new IntArray(64), new IntArray(32));

        // First all 32 lanes, 4 full sectors; then the 16 odd ones, 4 half sectors.
        assertThat(meter().array("in")).isEqualTo(new TaskMeter.Array("in", 4, 192, 0, 192, 0, 192, 256));
    }

    @Test
    void lanesThatStopTogetherMeetAnew() {
        grid(32, 32).run(MeteredKernels::raggedBeforeBarrier, new IntArray(32), new IntArray(32));

        assertThat(meter().array("in")).isEqualTo(new TaskMeter.Array("in", 4, 192, 0, 128, 0, 192, 256));
    }

    @Test
    void whatTheLaunchWroteDoesNotComeFromMemory() {
        grid(32, 32).run(MeteredKernels::back, new IntArray(32), new IntArray(32));

        TaskMeter.Array scratch = meter().array("scratch");
        assertThat(scratch.requestedRead()).isEqualTo(128);
        assertThat(scratch.uniqueRead()).isZero();
        assertThat(scratch.uniqueWritten()).isEqualTo(128);
    }

    @Test
    void whatOneLaunchWroteAnotherFindsInTheCache() {
        Mode before = Emulator.mode();
        Emulator.use(Mode.METERED);
        try {
            IntArray in = new IntArray(64);
            IntArray between = new IntArray(32);
            IntArray out = new IntArray(32);
            launch(MeteredKernels::copy, in, between);
            launch(MeteredKernels::copy, between, out);
            launch(MeteredKernels::copy, in, out);

            // 128 bytes read and 256 written: not the reads of between, nor in again, nor out again.
            assertThat(Emulator.footprint().uniqueBytes()).isEqualTo(128 + 128 + 128);
            Emulator.use(Mode.METERED);
            assertThat(Emulator.footprint().uniqueBytes()).isZero();
        } finally {
            Emulator.use(before);
        }
    }

    private static void launch(Task3<KernelContext, IntArray, IntArray> kernel, IntArray in, IntArray out) {
        Extent items = new Extent(32, 1, 1);
        Launcher.current().launch(new Launch("test.task", kernel, List.of(new KernelContext(), in, out), items, items));
    }

    @Test
    void neighboursOfOneInstructionAreOneAccess() {
        grid(32, 32).run(MeteredKernels::pairs, new HalfFloatArray(64), new FloatArray(32));

        assertThat(meter().array("in")).isEqualTo(new TaskMeter.Array("in", 2, 128, 0, 128, 0, 128, 128));
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "3, 0", "8, 7", "32, 31", "33, 0"})
    void lanesThatWantOneBankWait(int stride, int conflicts) {
        grid(64, 32).run(MeteredKernels::banks, new IntArray(64), stride);

        // Two groups, each writes and reads.
        assertThat(meter().bankConflicts()).isEqualTo(4L * conflicts);
        assertThat(meter().locals())
                .containsExactly(new TaskMeter.Local("tile", 256, 256, 4 + 4L * conflicts, 4L * conflicts));
        assertThat(meter().barriers()).isEqualTo(2);
    }

    /** 16 lanes of 8 bytes fill the banks; all lanes at one element are served at once. */
    @ParameterizedTest
    @CsvSource({"1, 0", "2, 2", "16, 30", "17, 0"})
    void wideElementsGoByHalfWarps(int stride, int conflicts) {
        grid(32, 32).run(MeteredKernels::wideBanks, new LongArray(32), stride);

        assertThat(meter().bankConflicts()).isEqualTo(conflicts);
        assertThat(meter().locals().getFirst().wavefronts()).isEqualTo(4 + conflicts);
    }

    @Test
    void bytesOfOneWordDoNotConflict() {
        grid(64, 64).run(MeteredKernels::byteBanks, new IntArray(64));

        assertThat(meter().bankConflicts()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void orderChangesNoCount(long seed) {
        FloatArray in = new FloatArray(512);
        Device.of(Mode.METERED, 512, 256).run(RightKernels::groupSum, in, new FloatArray(2));
        TaskMeter ascending = meter();
        Device.of(Mode.METERED.withSeed(seed), 512, 256).run(RightKernels::groupSum, in, new FloatArray(2));

        assertThat(meter()).isEqualTo(ascending);
        assertThat(meter().barriers()).isEqualTo(2 * 8);
        assertThat(meter().bankConflicts()).isZero();
    }

    @Test
    void tileOfMatrixUnitIsReadWithoutConflicts() {
        grid(32, 32)
                .run(
                        RightKernels::halfTile,
                        new HalfFloatArray(16 * 16),
                        new HalfFloatArray(16 * 8),
                        new FloatArray(128),
                        16);

        assertThat(meter().array("a").uniqueRead()).isEqualTo(512);
        assertThat(meter().array("a").sectorUse()).isEqualTo(1);
        // Each of the four stores of a lane fills half a sector.
        assertThat(meter().array("c").sectorUse()).isEqualTo(0.5);
        // Rows of 32 bytes: 8 of them begin in 4 different banks.
        assertThat(meter().locals().getFirst().bankConflicts()).isEqualTo(4);
    }

    @Test
    void eachStoreOfATileIsAnAccessOfItsOwn() {
        FloatArray sums = new FloatArray(128);
        grid(32, 32)
                .run(RightKernels::byteTile, new FP8Array(512), new ByteArray(256), sums, sums, new IntArray(128), 32);

        assertThat(meter().array("int8").sectorUse()).isEqualTo(0.5);
        assertThat(meter().array("e4m3").requestedWritten()).isEqualTo(2 * 512);
    }
}
