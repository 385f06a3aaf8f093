package org.hotrow.bench;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.hotrow.engine.Completion;

/**
 * A generation that stands still after its first token, when prefill is over and decoding has not begun, so that
 * decoding can be timed by itself.
 *
 * <pre>
 * own thread   prefill, first token, (waits)           decode
 * caller       constructor ................| finish() ......|
 * </pre>
 */
final class HeldGeneration {
    private final CountDownLatch held = new CountDownLatch(1);
    private final Semaphore go = new Semaphore(0);
    private final CompletableFuture<Completion> completion;

    /** Returns once the first of {@code count} tokens is there. */
    HeldGeneration(DemoModel model, int[] prompt, int count) throws InterruptedException {
        completion = CompletableFuture.supplyAsync(
                        () -> model.generate(prompt, count, this::accept), Thread.ofPlatform()::start)
                .whenComplete((done, failure) -> held.countDown());
        held.await();
    }

    private boolean accept(int id) {
        if (held.getCount() > 0) {
            held.countDown();
            go.acquireUninterruptibly();
        }
        return true;
    }

    /** Decodes the rest. */
    Completion finish() {
        go.release();
        return completion.join();
    }
}
