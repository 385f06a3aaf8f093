package org.hotrow.bench;

import java.util.Arrays;
import java.util.Objects;
import org.hotrow.engine.Scheduler;
import org.hotrow.engine.Sequence;
import org.hotrow.engine.TokenListener;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A step of the scheduler and the allocator while many requests of 4,096 to 8,192 tokens decode: each gets a token, a
 * 64th of them a page; whoever ends is followed by another request, whose prompt is new. The device computes nothing.
 */
@State(Scope.Benchmark)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms3g", "-Xmx3g", "-XX:+AlwaysPreTouch", "-XX:+UseTransparentHugePages"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 9, time = 1)
public class SchedulerBenchmark extends FloorBenchmark {
    private static final int PROMPT = 4096;
    private static final int BLOCKS = 400_000;
    private static final int BUDGET = 32_768;

    @Param({"64", "2048"})
    public int live;

    private final int[] prompt = new int[PROMPT + 63];
    private @Nullable Scheduler scheduler;
    private int submitted;

    /** Seats all requests, at all stages. */
    @Setup(Level.Trial)
    public void seat() {
        Bookkeeping all = new Bookkeeping(BLOCKS, BLOCKS, live);
        Scheduler of = new Scheduler(all.allocator(), all.device(), live, BUDGET, System::nanoTime);
        scheduler = of;
        for (int i = 0; i < live; i++) {
            submit(of);
        }
        while (of.running() < live || of.waiting() > 0) {
            of.step();
        }
    }

    private void submit(Scheduler to) {
        prompt[0] = submitted;
        int[] tokens = Arrays.copyOf(prompt, PROMPT + submitted++ % 64);
        to.submit(new Sequence(tokens, 2 * PROMPT, id -> false, (logits, at) -> 1, new TokenListener() {
            @Override
            public boolean accept(int id) {
                return true;
            }

            @Override
            public void ended() {
                submit(to);
            }
        }));
    }

    /** One step. */
    @Benchmark
    public Scheduler.Progress step() {
        return Objects.requireNonNull(scheduler).step();
    }
}
