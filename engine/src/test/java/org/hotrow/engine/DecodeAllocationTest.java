package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A decoded token allocates nothing, on any thread, greedy or drawn. The compiler removes some allocations only after
 * thousands of calls, so windows of tokens follow one another until one has none; a token that always allocates never
 * gets there. A window is shorter than a page, since a page is asked of the allocator, which makes objects of its plan.
 */
class DecodeAllocationTest {
    private static final int WARM_UP = 200;
    private static final int WINDOW = 50;
    private static final int LIMIT = 3000;
    private static final int LOST = 1500;
    private static final int MOST_TEXTS = 10;

    /** Counts the bytes that all threads of the generator allocate in each window of tokens. */
    private static final class Meter implements TokenListener {
        private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private final long[] ids = Thread.getAllStackTraces().keySet().stream()
                .filter(thread ->
                        thread == Thread.currentThread() || thread.getName().startsWith("hotrow-worker-"))
                .mapToLong(Thread::threadId)
                .toArray();
        private final List<Long> windows = new ArrayList<>();
        private int tokens;
        private long before;

        @Override
        public boolean accept(int id) {
            tokens++;
            if (tokens < WARM_UP || tokens % WINDOW != 0) {
                return true;
            }
            if (tokens > WARM_UP) {
                windows.add(allocated() - before);
            }
            // What this method itself allocates is before the count begins.
            before = allocated();
            return tokens == WARM_UP || windows.getLast() > 0;
        }

        boolean settled() {
            return !windows.isEmpty() && windows.getLast() == 0;
        }

        private long allocated() {
            long sum = 0;
            for (long id : ids) {
                sum += threads.getThreadAllocatedBytes(id);
            }
            return sum;
        }
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 1", "0.8, 0, 1", "0.8, 50, 1", "0.8, 0, 0.9", "0.8, 50, 0.9"})
    void aTokenIsDrawnWithoutAllocation(double temperature, int topK, double topP) {
        Random random = new Random(3);
        float[] logits = new float[5000];
        for (int id = 0; id < logits.length; id++) {
            logits[id] = (float) (3 * random.nextGaussian());
        }
        BitSet candidates = new BitSet();
        candidates.set(0, logits.length);
        Sampler sampler =
                new Sampler(new Sampling(temperature, topK, topP, 0.01, 1.1, 0.1, 0.1, 5), new int[] {7}, candidates);
        Meter meter = new Meter();
        int tokens = 0;
        while (tokens < LIMIT && meter.accept(sampler.next(logits, 0))) {
            tokens++;
        }
        assertThat(meter.windows.getLast())
                .as("bytes in windows %s", meter.windows)
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "FP8, 0, 1, 0",
        "FP8, 0, 2, 0",
        "FP8, 0.8, 2, 0",
        "BF16, 0.8, 1, 0",
        "FP32, 0, 2, 0",
        "FP8, 0, 2, 3",
        "FP8, 0.8, 1, 1"
    })
    void aDecodedTokenAllocatesNothing(KvDtype dtype, double temperature, int threads, int drafts) {
        Sampling sampling = new Sampling(temperature, 50, 0.9, 0.01, 1.1, 0.1, 0.1, 5);
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
                Generator generator = new Generator(
                        model,
                        CacheFormat.of(dtype),
                        CacheOptions.DEFAULT.withDrafts(drafts),
                        3 + LIMIT,
                        1,
                        Lanes.vector(),
                        threads,
                        64,
                        LoadProgress.NONE)) {
            Meter meter = new Meter();
            for (int text = 0; text < MOST_TEXTS && !meter.settled(); text++) {
                generator.generate(new int[] {350, 352, 5}, LIMIT, sampling, true, meter, () -> false);
            }
            assertSettled(meter, threads);
        }
    }

    /** Most rows are on the host, and what makes room is chosen in each token, among slots twice as many as are selected. */
    @ParameterizedTest
    @EnumSource(Replacement.class)
    void aDecodedTokenAllocatesNothingWhereRowsMakeRoom(Replacement replacement) {
        CacheOptions options = new CacheOptions(
                        KvPolicy.HYBRID,
                        OptionalInt.of(10),
                        OptionalInt.of(64),
                        OptionalLong.empty(),
                        OptionalInt.empty(),
                        0)
                .with(replacement);
        int[] prompt = new Random(5).ints(900, 10, 300).toArray();
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
                Generator generator = new Generator(
                        model,
                        CacheFormat.of(KvDtype.FP8),
                        options,
                        prompt.length + LOST,
                        1,
                        Lanes.vector(),
                        2,
                        64,
                        LoadProgress.NONE)) {
            Meter meter = new Meter();
            for (int text = 0; text < MOST_TEXTS && !meter.settled(); text++) {
                generator.generate(prompt, LOST, Sampling.GREEDY, true, meter, () -> false);
            }
            assertThat(generator.counters().hostRowsRead()).isPositive();
            assertSettled(meter, 2);
        }
    }

    private static void assertSettled(Meter meter, int threads) {
        assertThat(meter.ids).hasSize(threads);
        assertThat(meter.windows.getLast())
                .as(
                        "bytes of %d tokens, in windows %s: %.1f a token at best",
                        WINDOW,
                        meter.windows,
                        meter.windows.stream().mapToLong(Long::longValue).min().orElseThrow() / (double) WINDOW)
                .isZero();
    }
}
