package org.hotrow.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.Step;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The bookkeeping of a page in a step of 64 requests while many more are seated, which must not cost it anything. Each
 * request of a step gets one more page; one that has its last page makes place for a new one. The {@code active} requests
 * take turns: with {@code -p active=10000}, which all are active, the processor's caches count too.
 *
 * <p>Heap that the JVM touches for the first time would cost more than all else, so it is there at the start.
 */
@State(Scope.Benchmark)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:+UseTransparentHugePages"})
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 9, time = 1)
public class AllocatorLiveBenchmark extends FloorBenchmark {
    private static final int BATCH = 64;
    private static final int MOST_PAGES = 32;
    private static final int BLOCKS = 400_000;

    @Param({"100", "10000"})
    public int live;

    @Param("100")
    public int active;

    private final List<KvRequest> requests = new ArrayList<>();
    private final int[] page = new int[Block.TOKENS];
    private @Nullable Bookkeeping bookkeeping;
    private int turn;

    /** Seats all requests, at all stages between their first and their last page. */
    @Setup(Level.Trial)
    public void seat() {
        Bookkeeping all = new Bookkeeping(BLOCKS, BLOCKS, live);
        bookkeeping = all;
        for (int i = 0; i < live; i++) {
            KvRequest request = open(all);
            requests.add(request);
            for (int pages = 0; pages <= i % MOST_PAGES; pages++) {
                if (pages > 0) {
                    request.append(page);
                }
                all.run(List.of(new Ask(request, Block.TOKENS, 0)));
            }
        }
    }

    private KvRequest open(Bookkeeping all) {
        page[0]++;
        return all.allocator().open(page, MOST_PAGES * Block.TOKENS);
    }

    /** One page of a step that opens 64. */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public Step page() {
        Bookkeeping all = Objects.requireNonNull(bookkeeping);
        List<Ask> asks = new ArrayList<>(BATCH);
        for (int i = 0; i < BATCH; i++) {
            turn = (turn + 1) % active;
            KvRequest request = requests.get(turn);
            if (request.length() == request.maxLength()) {
                all.allocator().close(request);
                request = open(all);
                requests.set(turn, request);
            } else {
                request.append(page);
            }
            asks.add(new Ask(request, Block.TOKENS, 0));
        }
        return all.run(asks);
    }
}
