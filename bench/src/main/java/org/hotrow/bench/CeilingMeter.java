package org.hotrow.bench;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * Measures the {@link Ceilings} of this machine, in about a tenth of a second.
 *
 * <pre>
 * all threads start at once, each with its part:
 *   read          256 MiB, thread t the t-th part of it, slice by slice
 *   multiply-add  slices of a fixed count
 * rate = work of all / (last end - first start), the best of 4 passes
 * </pre>
 *
 * The memory is far larger than the caches of a desktop or server core complex, so a pass finds nothing of the last one.
 */
final class CeilingMeter implements AutoCloseable {
    static final long MEMORY = 256L << 20;
    /** Short enough that a pass calls the loops often: they get compiled as methods, not only inside of a running one. */
    private static final int SLICE = 64 << 10;

    private static final int MULTIPLY_ADD_ROUNDS = 4096;
    private static final int MULTIPLY_ADD_SLICES = 800;
    private static final int PASSES = 4;
    private static final long WARM_UP_NANOS = 1_000_000_000;

    private final int threads = Runtime.getRuntime().availableProcessors();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment memory = arena.allocate(MEMORY, CeilingLoops.ALIGNMENT);
    private final ExecutorService pool = Executors.newFixedThreadPool(
            threads, Thread.ofPlatform().daemon().name("ceiling-", 0).factory());

    /** A meter whose loops are compiled. */
    CeilingMeter() {
        // Pages that were never written may all be one page of zeros.
        memory.fill((byte) 1);
        long start = System.nanoTime();
        while (System.nanoTime() - start < WARM_UP_NANOS) {
            measure();
        }
    }

    /** The ceilings at this moment. */
    Ceilings measure() {
        double read = Double.POSITIVE_INFINITY;
        double multiplyAdd = Double.POSITIVE_INFINITY;
        for (int pass = 0; pass < PASSES; pass++) {
            read = Math.min(read, seconds(this::readPart));
            multiplyAdd = Math.min(multiplyAdd, seconds(this::multiplyAddPart));
        }
        long multiplyAdds = CeilingLoops.multiplyAdds(MULTIPLY_ADD_ROUNDS) * MULTIPLY_ADD_SLICES * threads;
        return new Ceilings(MEMORY / read, multiplyAdds / multiplyAdd);
    }

    /** One thread's part of a pass. What it returns depends on all of it and outlives it, so none of it can be left out. */
    private interface Part {
        double run(int thread);
    }

    private double readPart(int thread) {
        long slices = MEMORY / SLICE;
        long sum = 0;
        for (long slice = slices * thread / threads; slice < slices * (thread + 1) / threads; slice++) {
            sum += CeilingLoops.read(memory, slice * SLICE, SLICE);
        }
        return sum;
    }

    private double multiplyAddPart(int thread) {
        double sum = 0;
        for (int slice = 0; slice < MULTIPLY_ADD_SLICES; slice++) {
            sum += CeilingLoops.multiplyAdd(MULTIPLY_ADD_ROUNDS);
        }
        return sum;
    }

    /** Seconds from the first thread's start to the last one's end. */
    private double seconds(Part part) {
        CyclicBarrier start = new CyclicBarrier(threads);
        long[] starts = new long[threads];
        long[] ends = new long[threads];
        List<Callable<Double>> parts = IntStream.range(0, threads)
                .<Callable<Double>>mapToObj(thread -> () -> {
                    start.await();
                    starts[thread] = System.nanoTime();
                    double result = part.run(thread);
                    ends[thread] = System.nanoTime();
                    return result;
                })
                .toList();
        try {
            for (Future<Double> result : pool.invokeAll(parts)) {
                result.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IllegalStateException("the ceilings could not be measured", e);
        }
        long nanos = Arrays.stream(ends).max().orElseThrow()
                - Arrays.stream(starts).min().orElseThrow();
        return nanos * 1e-9;
    }

    @Override
    public void close() {
        pool.close();
        arena.close();
    }
}
