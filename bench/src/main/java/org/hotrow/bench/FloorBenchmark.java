package org.hotrow.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** How a benchmark with a floor is run: many short iterations, since each is a pair with its ceilings. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 6, time = 400, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 21, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public abstract class FloorBenchmark {
    protected FloorBenchmark() {}
}
