package org.hotrow.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A fixed team of threads that split a range of items into equal runs, the caller being worker 0.
 *
 * <pre>
 * n items, W workers: worker w takes items n * w / W .. n * (w + 1) / W - 1
 * </pre>
 *
 * Only the split depends on W: an item is done by one worker, in one way. One thread may call {@link #run} at a time.
 */
final class Workers implements AutoCloseable {
    /** A run of items, done by one worker. */
    interface Run {
        void run(int worker, int from, int to);
    }

    /** Multiply-adds below which handing over costs more than it saves. */
    private static final long WORTH_SPLITTING = 32_768;

    private static final int SPINS = 5_000;
    private static final Run NOTHING = (worker, from, to) -> {};

    private final Thread[] helpers;
    private final AtomicInteger pending = new AtomicInteger();
    private volatile int round;
    private volatile boolean closed;
    private volatile @Nullable Throwable failure;
    private volatile Thread caller = Thread.currentThread();
    private Run work = NOTHING;
    private int items;

    Workers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("threads: " + count + ", expected 1 or more");
        }
        helpers = new Thread[count - 1];
        for (int i = 0; i < helpers.length; i++) {
            int worker = i + 1;
            helpers[i] =
                    Thread.ofPlatform().daemon().name("hotrow-worker-" + worker).start(() -> serve(worker));
        }
    }

    /** Workers in the team, the caller included. */
    int count() {
        return helpers.length + 1;
    }

    /**
     * Does items 0 to n - 1 and returns when all are done; what one worker throws is thrown here. Little work is done by
     * the caller alone.
     *
     * @param cost of one item, in multiply-adds
     */
    void run(int n, long cost, Run run) {
        if (closed) {
            throw new IllegalStateException("workers are closed");
        }
        if (helpers.length == 0 || n < 2 || n * cost < WORTH_SPLITTING) {
            run.run(0, 0, n);
            return;
        }
        caller = Thread.currentThread();
        work = run;
        items = n;
        pending.set(helpers.length);
        int next = round + 1;
        round = next;
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
        Throwable own = attempt(0);
        for (int spins = 0; pending.get() > 0; spins++) {
            pause(spins);
        }
        Throwable other = failure;
        failure = null;
        work = NOTHING;
        if (own != null || other != null) {
            throw sneak(own != null ? own : java.util.Objects.requireNonNull(other));
        }
    }

    private void serve(int worker) {
        int done = 0;
        for (int spins = 0; !closed; spins++) {
            if (round == done) {
                pause(spins);
                continue;
            }
            done++;
            Throwable thrown = attempt(worker);
            if (thrown != null) {
                failure = thrown;
            }
            if (pending.decrementAndGet() == 0) {
                LockSupport.unpark(caller);
            }
            spins = 0;
        }
    }

    private @Nullable Throwable attempt(int worker) {
        int from = (int) ((long) items * worker / count());
        int to = (int) ((long) items * (worker + 1) / count());
        try {
            if (from < to) {
                work.run(worker, from, to);
            }
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    private static void pause(int spins) {
        if (spins < SPINS) {
            Thread.onSpinWait();
        } else {
            LockSupport.park();
        }
    }

    private static RuntimeException sneak(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return (RuntimeException) thrown;
    }

    @Override
    public void close() {
        closed = true;
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
    }
}
