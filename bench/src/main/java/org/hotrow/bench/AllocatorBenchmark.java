package org.hotrow.bench;

import java.util.List;
import java.util.Objects;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.ResidencyState;
import org.hotrow.allocator.Step;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The bookkeeping of one request, of 64K tokens or of so many pages. Where its pages are is all that happens, so there is no floor. */
public class AllocatorBenchmark extends FloorBenchmark {
    private static final int TOKENS = 1 << 16;
    private static final int PAGES = TOKENS / Block.TOKENS;

    /** A pool that the request fits. */
    @State(Scope.Benchmark)
    public static class Whole {
        @Param({"256", "1024", "4096"})
        public int pages;

        private @Nullable Bookkeeping bookkeeping;
        private int[] prompt = {};

        /** Makes them. */
        @Setup(Level.Trial)
        public void open() {
            // An index block takes more than eight pages.
            bookkeeping = new Bookkeeping(pages + pages / 8 + 2, pages, 1);
            prompt = new int[pages * Block.TOKENS];
        }
    }

    /** From opening it to closing it, in one step that writes all of it back; every prompt is a new one. */
    @Benchmark
    public Step request(Whole whole) {
        Bookkeeping bookkeeping = Objects.requireNonNull(whole.bookkeeping);
        int tokens = whole.prompt.length;
        whole.prompt[0]++;
        KvRequest request = bookkeeping.allocator().open(whole.prompt, tokens);
        Step step = bookkeeping.run(List.of(new Ask(request, tokens, 0)));
        bookkeeping.allocator().close(request);
        return step;
    }

    /** A pool that holds half of the request, which so reads most of its pages from the host. */
    @State(Scope.Benchmark)
    public static class Half {
        private final Bookkeeping bookkeeping = new Bookkeeping(700, 4 * PAGES, 1);
        private final int[] prompt = new int[TOKENS];
        private final int[] page = new int[Block.TOKENS];
        private @Nullable KvRequest request;

        /** Another request takes its prompt. */
        @Setup(Level.Invocation)
        public void prefill() {
            if (request != null) {
                bookkeeping.allocator().close(request);
            }
            prompt[0]++;
            KvRequest opened = bookkeeping.allocator().open(prompt, 2 * TOKENS);
            while (opened.length() < TOKENS) {
                bookkeeping.run(List.of(new Ask(opened, TOKENS / 8, 0)));
            }
            if (opened.residency().orElseThrow().state() == ResidencyState.FULL) {
                throw new IllegalStateException("the request has lost no page");
            }
            request = opened;
        }
    }

    /** One more page: 64 tokens, the block of another page, its copy to the host and the news of that. */
    @Benchmark
    @OperationsPerInvocation(PAGES)
    public KvRequest page(Half half) {
        KvRequest request = Objects.requireNonNull(half.request);
        for (int i = 0; i < PAGES; i++) {
            request.append(half.page);
            half.bookkeeping.run(List.of(new Ask(request, Block.TOKENS, 0)));
        }
        return request;
    }
}
