package org.hotrow.bench;

import java.util.List;
import org.hotrow.emulator.Launch;
import org.hotrow.emulator.Launch.Extent;
import org.hotrow.emulator.Launcher;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task3;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** The emulator's fast mode: an operation is a thousand barrier crossings, or accesses to arrays. No floor. */
@State(Scope.Benchmark)
public class EmulatorBenchmark extends FloorBenchmark {
    private static final int GROUPS = 16;
    private static final int ITEMS = 256;
    private static final int BARRIERS = 20;
    private static final int VALUES = 1024;
    private static final Extent GLOBAL = new Extent(GROUPS * ITEMS, 1, 1);
    private static final Extent LOCAL = new Extent(ITEMS, 1, 1);

    private final FloatArray values = new FloatArray(VALUES);
    private final IntArray counts = new IntArray(GROUPS * ITEMS);
    private final FloatArray sums = new FloatArray(GROUPS * ITEMS);
    private final Launch barriers = launch(EmulatorBenchmark::pass, BARRIERS, counts);
    private final Launch accesses = launch(EmulatorBenchmark::sum, values, sums);

    private static <A, B> Launch launch(Task3<KernelContext, A, B> kernel, A a, B b) {
        return new Launch("bench.task", kernel, List.of(new KernelContext(), a, b), GLOBAL, LOCAL);
    }

    /** Passes barriers. */
    public static void pass(KernelContext context, int barriers, IntArray counts) {
        for (int i = 0; i < barriers; i++) {
            context.localBarrier();
        }
        counts.set(context.globalIdx, barriers);
    }

    /** Every work-item reads all values. */
    public static void sum(KernelContext context, FloatArray values, FloatArray sums) {
        float sum = 0;
        for (int i = 0; i < VALUES; i++) {
            sum += values.get(i);
        }
        sums.set(context.globalIdx, sum);
    }

    /** Groups of 256 work-items. */
    @Benchmark
    @OperationsPerInvocation(GROUPS * ITEMS * BARRIERS / 1000)
    public IntArray barriers() {
        Launcher.current().launch(barriers);
        return counts;
    }

    /** Reads, by groups of 256 work-items. */
    @Benchmark
    @OperationsPerInvocation(GROUPS * ITEMS * VALUES / 1000)
    public FloatArray accesses() {
        Launcher.current().launch(accesses);
        return sums;
    }
}
