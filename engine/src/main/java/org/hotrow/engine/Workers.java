package org.hotrow.engine;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A fixed team of threads that split a range of items into equal runs, the caller being worker 0.
 *
 * <pre>
 * n items in S shares: share s has items n * s / S .. n * (s + 1) / S - 1;  S a function of n, cost and team alone
 * state              : round in the upper 32 bits, S in the next 16, shares taken in the lower 16
 * </pre>
 *
 * Workers take the shares one by one, the caller too. So items may differ in cost, and a helper that the system has put
 * aside is not waited for. An item is done by one worker, in one way, whoever that is. One thread may call {@link #run}
 * at a time.
 */
final class Workers implements AutoCloseable {
    /** A run of items, done by one worker. */
    interface Run {
        void run(int worker, int from, int to);
    }

    /** Multiply-adds below which handing over costs more than it saves. */
    private static final long WORTH_SPLITTING = 32_768;

    /** Multiply-adds of a share: many of them, so that taking one costs nothing beside it. */
    private static final long SHARE = 262_144;

    private static final int MOST_SHARES_PER_WORKER = 16;

    private static final int SPINS = 5_000;
    private static final Run NOTHING = (worker, from, to) -> {};

    private final Thread[] helpers;
    private final AtomicLong state = new AtomicLong();
    private final AtomicInteger unfinished = new AtomicInteger();
    private final AtomicInteger parked = new AtomicInteger();
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
        int shares = shares(n, n * cost);
        unfinished.set(shares);
        long round = (state.get() >>> Integer.SIZE) + 1;
        state.set(round << Integer.SIZE | (long) shares << Short.SIZE);
        if (parked.get() > 0) {
            wake();
        }
        takeShares(0);
        for (int spins = 0; unfinished.get() > 0; spins++) {
            pause(spins);
        }
        Throwable thrown = failure;
        failure = null;
        work = NOTHING;
        if (thrown != null) {
            throw sneak(thrown);
        }
    }

    private int shares(int n, long cost) {
        long each = Math.clamp(cost / count() / SHARE, 1, MOST_SHARES_PER_WORKER);
        return (int) Math.min(n, each * count());
    }

    private void wake() {
        for (Thread helper : helpers) {
            LockSupport.unpark(helper);
        }
    }

    private void serve(int worker) {
        for (int spins = 0; !closed; spins++) {
            if (takeShares(worker)) {
                spins = 0;
            } else if (spins < SPINS) {
                Thread.onSpinWait();
            } else {
                parked.incrementAndGet();
                // A round that began before the count was up may have seen nobody to wake.
                if (!sharesLeft(state.get())) {
                    LockSupport.park();
                }
                parked.decrementAndGet();
            }
        }
    }

    private static boolean sharesLeft(long now) {
        return taken(now) < shares(now);
    }

    private static int shares(long now) {
        return (int) (now >>> Short.SIZE) & 0xFFFF;
    }

    private static int taken(long now) {
        return (int) now & 0xFFFF;
    }

    /** Does shares of the present round while any is left; whether there was one. */
    private boolean takeShares(int worker) {
        boolean any = false;
        long now = state.get();
        while (sharesLeft(now)) {
            // The round can't end before this share does, so its work stays in place.
            if (state.compareAndSet(now, now + 1)) {
                any = true;
                attempt(worker, taken(now), shares(now));
                if (unfinished.decrementAndGet() == 0 && worker != 0) {
                    LockSupport.unpark(caller);
                }
            }
            now = state.get();
        }
        return any;
    }

    private void attempt(int worker, int share, int shares) {
        int from = (int) ((long) items * share / shares);
        int to = (int) ((long) items * (share + 1) / shares);
        try {
            work.run(worker, from, to);
        } catch (RuntimeException | Error e) {
            failure = e;
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
        wake();
    }
}
