package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.hotrow.emulator.Device.filled;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.hotrow.emulator.KernelFault.Kind;
import org.hotrow.emulator.kernels.RightKernels;
import org.hotrow.emulator.kernels.WrongKernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import uk.ac.manchester.tornado.api.types.arrays.ByteArray;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class FaultsTest {
    private static final Path SOURCE = Path.of("src/test/java/org/hotrow/emulator/kernels/WrongKernels.java");

    private final Device oneGroup = Device.of(Mode.CHECKED, 64, 64);
    private final Device twoGroups = Device.of(Mode.CHECKED, 128, 64);

    private static KernelFault fault(ThrowingCallable run) {
        KernelFault fault = catchThrowableOfType(KernelFault.class, run);
        assertThat(fault).as("no fault found").isNotNull();
        return fault;
    }

    /** {@code WrongKernels.java:line} of the line that ends with a comment. */
    private static String line(String comment) throws IOException {
        List<String> lines = Files.readAllLines(SOURCE);
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).endsWith("// " + comment)) {
                return "WrongKernels.java:" + (i + 1);
            }
        }
        throw new AssertionError("no line ends with // " + comment);
    }

    @Test
    void readOfANeighboursLocalElementWithoutBarrierIsARace() throws IOException {
        KernelFault fault = fault(
                () -> oneGroup.run(WrongKernels::neighbourWithoutBarrier, filled(new IntArray(64)), new IntArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.RACE);
        assertThat(fault)
                .hasMessage(
                        "race in kernel WrongKernels.neighbourWithoutBarrier, shared[0]: work-item 1 of group 0 reads"
                                + " it at %s, work-item 0 of group 0 wrote it at %s, and no barrier is between them"
                                        .formatted(line("read neighbour"), line("write own")));
    }

    @Test
    void twoWritersOfADeviceElementAreARace() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::writersWithoutBarrier, new IntArray(1)));

        assertThat(fault.kind()).isEqualTo(Kind.RACE);
        assertThat(fault)
                .hasMessage(
                        "race in kernel WrongKernels.writersWithoutBarrier, out[0]: work-item 1 of group 0 writes it"
                                + " at %s, work-item 0 of group 0 wrote it at %s, and no barrier is between them"
                                        .formatted(line("write first"), line("write first")));
    }

    @Test
    void writeOfWhatAnotherReadsIsARace() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::writeAfterRead, filled(new IntArray(64))));

        assertThat(fault.kind()).isEqualTo(Kind.RACE);
        assertThat(fault)
                .hasMessage(
                        "race in kernel WrongKernels.writeAfterRead, data[1]: work-item 1 of group 0 writes it at %s,"
                                        .formatted(line("write mine"))
                                + " work-item 0 of group 0 read it at %s, and no barrier is between them"
                                        .formatted(line("read other")));
    }

    @Test
    void readOfWhatAnotherGroupWritesIsARaceBetweenGroups() throws IOException {
        KernelFault fault =
                fault(() -> twoGroups.run(WrongKernels::betweenGroups, filled(new IntArray(2)), new IntArray(128)));

        assertThat(fault.kind()).isEqualTo(Kind.RACE_BETWEEN_GROUPS);
        assertThat(fault)
                .hasMessage("race between groups in kernel WrongKernels.betweenGroups, data[1]: work-item 0 of group 1"
                        + " writes it at %s, work-item 63 of group 0 read it at %s"
                                .formatted(line("publish"), line("read published")));
    }

    @Test
    void plainReadOfWhatAnotherGroupAddsIsARaceBetweenGroups() throws IOException {
        KernelFault fault = fault(() ->
                twoGroups.run(WrongKernels::readWhatAnotherGroupAdds, filled(new IntArray(1)), new IntArray(128)));

        assertThat(fault.kind()).isEqualTo(Kind.RACE_BETWEEN_GROUPS);
        assertThat(fault)
                .hasMessage(
                        "race between groups in kernel WrongKernels.readWhatAnotherGroupAdds, counter[0]: work-item 0"
                                + " of group 1 adds to it at %s, work-item 63 of group 0 read it at %s"
                                        .formatted(line("add"), line("read counter")));
    }

    @Test
    void atomicAndPlainAccessesOfTwoGroupsAreARaceInEachOrder() throws IOException {
        Device twoItems = Device.of(Mode.CHECKED, 2, 1);
        IntArray counter = filled(new IntArray(1));
        KernelFault read = fault(() -> twoItems.run(WrongKernels::addThenRead, counter, new IntArray(2)));
        KernelFault write = fault(() -> twoItems.run(WrongKernels::addThenWrite, counter));
        KernelFault add = fault(() -> twoItems.run(WrongKernels::writeThenAdd, counter));

        assertThat(read)
                .hasMessageContaining("reads it at " + line("group reads"))
                .hasMessageContaining("added to it at " + line("group adds"));
        assertThat(write)
                .hasMessageContaining("writes it at " + line("group writes") + ", work-item 0 of group 0 added to");
        assertThat(add)
                .hasMessageContaining("adds to it at " + line("group adds later") + ", work-item 0 of group 0 wrote");
    }

    @Test
    void barrierThatSomeNeverReachIsDivergent() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::barrierForSome, new IntArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.DIVERGENT_BARRIER);
        assertThat(fault)
                .hasMessage(
                        "divergent barrier in kernel WrongKernels.barrierForSome: work-item 0 of group 0 waits at %s,"
                                        .formatted(line("half waits"))
                                + " but work-item 32 of group 0 has ended after %s".formatted(line("others go on")));
    }

    @Test
    void whoEndsAtOnceHasALineToo() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::barrierForTheFirst, new IntArray(64)));

        assertThat(fault)
                .hasMessage("divergent barrier in kernel WrongKernels.barrierForTheFirst: work-item 0 of group 0 waits"
                        + " at %s, but work-item 1 of group 0 has ended after %s"
                                .formatted(line("first waits"), line("others end")));
    }

    @Test
    void differentBarriersAreDivergent() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::differentBarriers, new IntArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.DIVERGENT_BARRIER);
        assertThat(fault)
                .hasMessageContaining("work-item 0 of group 0 waits at " + line("even"))
                .hasMessageContaining("but work-item 1 of group 0 waits at " + line("odd"));
    }

    @Test
    void barrierOfALoopWithOneMoreRoundForSomeIsDivergent() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::barrierInRoundsThatDiffer, new IntArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.DIVERGENT_BARRIER);
        assertThat(fault)
                .hasMessageContaining(" waits at " + line("each round"))
                .hasMessageContaining("has ended after");
    }

    @Test
    void roundOfALoopThatOvertakesAnotherIsARace() throws IOException {
        KernelFault fault =
                fault(() -> oneGroup.run(WrongKernels::oneBarrierInALoop, filled(new IntArray(64)), new IntArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.RACE);
        assertThat(fault).hasMessageContaining(line("next round")).hasMessageContaining(line("this round"));
    }

    @Test
    void fastModeFindsADivergentBarrierToo() {
        KernelFault fault =
                fault(() -> Device.of(Mode.FAST, 64, 64).run(WrongKernels::barrierForSome, new IntArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.DIVERGENT_BARRIER);
        assertThat(fault).hasMessageContaining("work-item 0 ").hasMessageContaining("work-item 32 ");
    }

    @Test
    void warpOperationWithoutOneLaneIsDivergent() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::warpForSome, new FloatArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.DIVERGENT_WARP);
        assertThat(fault)
                .hasMessageContaining("work-item 0 of group 0 waits for its warp at " + line("all but one"))
                .hasMessageContaining("but work-item 5 of group 0 has ended");
    }

    @Test
    void differentOperationsOfAWarpAreDivergent() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::warpOfDifferentOperations, new FloatArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.DIVERGENT_WARP);
        assertThat(fault).hasMessageContaining(line("sum")).hasMessageContaining(line("first"));
    }

    @Test
    void sameOperationAtTwoLinesIsDivergent() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::warpSumsAtTwoLines, new FloatArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.DIVERGENT_WARP);
        assertThat(fault).hasMessageContaining(line("even sum")).hasMessageContaining(line("odd sum"));
    }

    @Test
    void warpOperationOfAnIncompleteWarpIsRefused() {
        FloatArray values = new FloatArray(48);
        KernelFault fault =
                fault(() -> Device.of(Mode.FAST, 48, 48).run(RightKernels::warp, values, values, values, values));

        assertThat(fault.kind()).isEqualTo(Kind.DIVERGENT_WARP);
        assertThat(fault).hasMessageContaining("only 16 of 32 lanes");
    }

    @Test
    void writeOutsideOfADeviceArrayIsFound() throws IOException {
        KernelFault fault = fault(() -> twoGroups.run(WrongKernels::writeBehindTheEnd, new ByteArray(128)));

        assertThat(fault.kind()).isEqualTo(Kind.OUT_OF_BOUNDS);
        assertThat(fault)
                .hasMessage("out of bounds in kernel WrongKernels.writeBehindTheEnd, out[128]: work-item 63 of group 1"
                        + " writes it at %s, outside of its 128 elements".formatted(line("write outside")));
    }

    @Test
    void readOutsideOfADeviceArrayIsFound() throws IOException {
        KernelFault fault =
                fault(() -> oneGroup.run(WrongKernels::readBeforeTheStart, filled(new IntArray(64)), new IntArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.OUT_OF_BOUNDS);
        assertThat(fault)
                .hasMessage("out of bounds in kernel WrongKernels.readBeforeTheStart, in[-1]: work-item 0 of group 0"
                        + " reads it at %s, outside of its 64 elements".formatted(line("read outside")));
    }

    @Test
    void helpersOfThePackageAreNamedByTheirOwnLine() throws IOException {
        KernelFault fault =
                fault(() -> oneGroup.run(WrongKernels::helperInOtherClass, filled(new IntArray(64)), new IntArray(64)));

        assertThat(fault).hasMessageContaining("in[64]: work-item 4 of group 0 reads it at " + line("in helper"));
    }

    @Test
    void localAndPrivateArraysHaveBoundsToo() throws IOException {
        KernelFault local = fault(() -> oneGroup.run(WrongKernels::localOutOfBounds, new FloatArray(64)));
        KernelFault own = fault(() -> oneGroup.run(WrongKernels::privateOutOfBounds, new FloatArray(64)));

        assertThat(local.kind()).isEqualTo(Kind.OUT_OF_BOUNDS);
        assertThat(local).hasMessageContaining("shared[63]: work-item 63 of group 0 writes it at " + line("write 63"));
        assertThat(own.kind()).isEqualTo(Kind.FAILED);
        assertThat(own)
                .hasMessageContaining("work-item 4 of group 0")
                .hasMessageContaining(line("own 4"))
                .hasMessageContaining("Index 4 out of bounds for length 4");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3})
    void matrixLoadsOfWhatOthersStoreNeedABarrier(long seed) throws IOException {
        Device warp = Device.of(Mode.CHECKED.withSeed(seed), 32, 32);
        KernelFault read = fault(
                () -> warp.run(WrongKernels::matrixWithoutBarrier, filled(new IntArray(128)), new FloatArray(32)));
        KernelFault write = fault(
                () -> warp.run(WrongKernels::writeBehindAMatrixLoad, filled(new IntArray(128)), new FloatArray(32)));

        assertThat(read.kind()).isEqualTo(Kind.RACE);
        assertThat(read)
                .hasMessageContaining(" reads it at " + line("load tile"))
                .hasMessageContaining(" wrote it at " + line("fill tile"));
        assertThat(write.kind()).isEqualTo(Kind.RACE);
        assertThat(write.getMessage())
                .containsAnyOf(
                        " writes it at %s, ".formatted(line("overwrite tile")),
                        " reads it at %s, ".formatted(line("read tile")));
        assertThat(write)
                .hasMessageContaining(line("read tile"))
                .hasMessageContaining(line("overwrite tile"))
                .hasMessageContaining("tile[");
    }

    @Test
    void matrixLoadOfWhatNobodyWroteIsFound() throws IOException {
        KernelFault fault =
                fault(() -> Device.of(Mode.CHECKED, 32, 32).run(WrongKernels::matrixOfNothing, new FloatArray(32)));

        assertThat(fault.kind()).isEqualTo(Kind.UNINITIALISED);
        assertThat(fault).hasMessageContaining("tile[0]: work-item 0 of group 0 reads it at " + line("load nothing"));
    }

    @Test
    void readOfALocalElementThatNobodyWroteIsFound() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::uninitialisedLocal, new FloatArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.UNINITIALISED);
        assertThat(fault)
                .hasMessage("uninitialised in kernel WrongKernels.uninitialisedLocal, shared[7]: work-item 7 of group 0"
                        + " reads it at %s, nothing was written or copied there yet".formatted(line("read 7")));
    }

    @Test
    void readOfDeviceMemoryThatNobodyFilledIsFound() throws IOException {
        KernelFault fault =
                fault(() -> oneGroup.run(WrongKernels::uninitialisedDevice, new FloatArray(64), new FloatArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.UNINITIALISED);
        assertThat(fault).hasMessageContaining("never[0]: work-item 0 of group 0 reads it at " + line("read never"));
    }

    @Test
    void deviceMemoryThatAnEarlierLaunchWroteIsInitialised() {
        FloatArray data = new FloatArray(64);
        oneGroup.run(WrongKernels::privateIsNotZero, data);
        oneGroup.run(WrongKernels::uninitialisedDevice, data, new FloatArray(64));
    }

    @Test
    void launchesWithoutChecksLeaveNoFalseAlarms() {
        for (Mode mode : new Mode[] {Mode.FAST, Mode.METERED}) {
            FloatArray data = new FloatArray(64);
            Device.of(mode, 64, 64).run(WrongKernels::privateIsNotZero, data);
            oneGroup.run(WrongKernels::uninitialisedDevice, data, new FloatArray(64));
        }
    }

    @Test
    void privateArraysHoldNothingAtFirst() {
        FloatArray out = new FloatArray(64);
        oneGroup.run(WrongKernels::privateIsNotZero, out);

        assertThat(out.get(0)).isNaN();
    }

    @Test
    void asynchronousCopyMustBeAwaited() throws IOException {
        KernelFault fault =
                fault(() -> oneGroup.run(WrongKernels::copyNotAwaited, filled(new ByteArray(256)), new IntArray(64)));

        assertThat(fault.kind()).isEqualTo(Kind.UNINITIALISED);
        assertThat(fault).hasMessageContaining("tile[0]: work-item 0 of group 0 reads it at " + line("read too early"));

        IntArray out = new IntArray(64);
        Device.of(Mode.FAST, 64, 64).run(WrongKernels::copyNotAwaited, new ByteArray(256), out);
        assertThat(out.toHeapArray()).containsOnly(-1);
    }

    @Test
    void copiesOfOthersNeedABarrierToo() throws IOException {
        KernelFault fault = fault(() -> Device.of(Mode.CHECKED.withSeed(1), 64, 64)
                .run(WrongKernels::copyAwaitedWithoutBarrier, filled(new ByteArray(256)), new IntArray(64)));

        assertThat(fault.kind()).isIn(Kind.RACE, Kind.UNINITIALISED);
        assertThat(fault).hasMessageContaining("tile[");
    }

    @Test
    void localMemoryEndsAt48Kilobytes() throws IOException {
        KernelFault fault = fault(() -> oneGroup.run(WrongKernels::tooMuchLocalMemory, new FloatArray(1)));

        assertThat(fault.kind()).isEqualTo(Kind.LOCAL_MEMORY);
        assertThat(fault).hasMessageContaining("49153 bytes").hasMessageContaining(line("one more"));
    }

    @Test
    void allWorkItemsAllocateTheSameArraysOnce() throws IOException {
        KernelFault differ = fault(() -> oneGroup.run(WrongKernels::allocationsDiffer, new FloatArray(64)));
        KernelFault loop = fault(() -> oneGroup.run(WrongKernels::allocationInLoop, new FloatArray(64)));

        assertThat(differ.kind()).isEqualTo(Kind.LOCAL_MEMORY);
        assertThat(differ).hasMessageContaining(line("even array")).hasMessageContaining(line("odd array"));
        assertThat(loop.kind()).isEqualTo(Kind.LOCAL_MEMORY);
        assertThat(loop).hasMessageContaining("twice at " + line("in loop"));
    }
}
