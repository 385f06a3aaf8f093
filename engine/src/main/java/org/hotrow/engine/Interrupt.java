package org.hotrow.engine;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C while loading or generating: asks the work to stop and holds the end of the process until what there is has
 * been printed. The process then ends with the signal's own code, 130.
 */
public final class Interrupt implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 5;

    private final CountDownLatch printed = new CountDownLatch(1);
    private final Thread hook = new Thread(this::stop, "hotrow-interrupt");
    private volatile boolean requested;

    /** From now on Ctrl-C is a request to stop. */
    public Interrupt() {
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Whether to stop. */
    public boolean requested() {
        return requested;
    }

    private void stop() {
        requested = true;
        try {
            if (!printed.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("hotrow: stopped before the current step was done");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        printed.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // The signal has come: the hook runs, and the process ends with the signal's code.
        }
    }
}
