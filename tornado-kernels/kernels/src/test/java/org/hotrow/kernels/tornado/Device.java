package org.hotrow.kernels.tornado;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Objects;
import org.hotrow.emulator.Emulator;
import org.hotrow.emulator.Mode;
import org.hotrow.emulator.TaskMeter;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoExecutionPlanException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * What the tests' graphs run on: the emulator, with all its checks and a shuffled order of work-items, or the device of a
 * TornadoVM SDK if the JVM was started with one.
 */
final class Device {
    private static final boolean CUDA = hasModule("tornado.drivers.cuda");
    private static final boolean EMULATED = !CUDA && !hasModule("tornado.drivers.opencl");

    private Device() {}

    /** Appends tasks to a graph. */
    @FunctionalInterface
    interface Piece {
        void append(TaskGraph graph, GridScheduler grids);
    }

    /** A graph whose executions copy all arrays to the device before its tasks, and from it after them. */
    record Prepared(TornadoExecutionPlan plan) implements AutoCloseable {
        void run() {
            plan.execute();
        }

        @Override
        public void close() {
            try {
                plan.close();
            } catch (TornadoExecutionPlanException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Executes a graph once. */
    static void run(Piece piece, TornadoNativeArray... arrays) {
        try (Prepared graph = prepare(piece, arrays)) {
            graph.run();
        }
    }

    /** Prepares a graph for any number of executions. */
    static Prepared prepare(Piece piece, TornadoNativeArray... arrays) {
        if (EMULATED) {
            Emulation.check();
        }
        return record(piece, arrays);
    }

    /**
     * What a task moved.
     *
     * @param uniqueBytes first reads and written elements: what DRAM must move
     * @param sectorUse share of the bytes of fetched sectors that work-items asked for
     */
    record Traffic(long uniqueBytes, double sectorUse) {}

    /** Executes a graph once, on the emulator alone, and meters one of its tasks. */
    static Traffic meter(String task, Piece piece, TornadoNativeArray... arrays) {
        assumeTrue(EMULATED, "only the emulator has a meter");
        return Emulation.meter("test." + task, () -> {
            try (Prepared graph = record(piece, arrays)) {
                graph.run();
            }
        });
    }

    private static Prepared record(Piece piece, TornadoNativeArray... arrays) {
        TaskGraph graph = new TaskGraph("test");
        GridScheduler grids = new GridScheduler();
        graph.transferToDevice(DataTransferMode.EVERY_EXECUTION, (Object[]) arrays);
        piece.append(graph, grids);
        graph.transferToHost(DataTransferMode.EVERY_EXECUTION, (Object[]) arrays);
        return new Prepared(new TornadoExecutionPlan(graph.snapshot()).withGridScheduler(grids));
    }

    /** Whether kernels can have warp and matrix operations. */
    static boolean hasMatrices() {
        return EMULATED || CUDA;
    }

    /** Skips a test of kernels with warp operations where there are no warps. */
    static void assumeWarps() {
        assumeTrue(hasMatrices(), "OpenCL has no warp operations");
    }

    private static boolean hasModule(String name) {
        return ModuleLayer.boot().findModule(name).isPresent();
    }

    /** Loaded only where the emulator is. */
    private static final class Emulation {
        static void check() {
            Emulator.use(Mode.CHECKED.withSeed(1));
        }

        static Traffic meter(String task, Runnable execution) {
            Emulator.use(Mode.METERED);
            execution.run();
            TaskMeter meter = Objects.requireNonNull(Emulator.meter(task), task);
            long used = 0;
            long fetched = 0;
            for (TaskMeter.Array array : meter.arrays()) {
                used += array.used();
                fetched += array.fetched();
            }
            return new Traffic(meter.uniqueBytes(), (double) used / fetched);
        }
    }
}
