package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Step;
import org.hotrow.allocator.StepPlan;
import org.hotrow.engine.StepComposer.Decision;
import org.jspecify.annotations.Nullable;

/**
 * Continuous batching: many requests, batch by batch, on one device.
 *
 * <pre>
 * any thread      submit, cancel -> queues
 * owner's thread  step: | news | decide, commit | batch | finish | tokens to listeners | ends |
 * </pre>
 *
 * What is decided how is {@link StepComposer}'s; the bits of a request's logits don't depend on it. Each request that
 * can run alone ends if steps are taken as long as there is something to do.
 */
public final class Scheduler {
    /** What a step did. */
    public enum Progress {
        /** It computed a batch. */
        STEPPED,
        /** Nothing, before a copy is through. */
        WAITING,
        /** There is nothing to do. */
        IDLE
    }

    private static final Comparator<Sequence> BY_AGE = Comparator.comparingLong(s -> s.number);

    private final Allocator allocator;
    private final StepDevice device;
    private final LongSupplier nanos;
    private final StepComposer composer;
    private final Queue<Sequence> arrivals = new ConcurrentLinkedQueue<>();
    private final Queue<Sequence> cancellations = new ConcurrentLinkedQueue<>();
    private final SortedSet<Sequence> waiting = new TreeSet<>(BY_AGE);
    private final List<Sequence> running = new ArrayList<>();
    private long submitted;

    private final Batch batch;
    /** The requests of the batch, by its entries. */
    private final List<Sequence> batched = new ArrayList<>();

    /**
     * A scheduler without requests.
     *
     * @param maxSeqs most requests that run at once; no more than the allocator has seats
     * @param maxBatchedTokens most rows of a batch
     * @param nanos the clock of the sequences' times
     */
    public Scheduler(Allocator allocator, StepDevice device, int maxSeqs, int maxBatchedTokens, LongSupplier nanos) {
        this.allocator = allocator;
        this.device = device;
        this.nanos = nanos;
        composer = new StepComposer(allocator, maxSeqs, maxBatchedTokens);
        batch = new Batch(maxSeqs);
    }

    /** Adds a request. Any thread may. */
    public void submit(Sequence sequence) {
        sequence.submitted = nanos.getAsLong();
        arrivals.add(sequence);
    }

    /** Ends a submitted request before the next step, unless it has ended. Any thread may. */
    public void cancel(Sequence sequence) {
        cancellations.add(sequence);
    }

    /** Requests that have seats. */
    public int running() {
        return running.size();
    }

    /** Requests that are submitted and have no seat, as far as the last step knew. */
    public int waiting() {
        return waiting.size();
    }

    /**
     * Computes the next batch.
     *
     * @throws RuntimeException what the device or a listener's {@code ended} throws; requests whose rows were lost run
     *     again
     */
    public Progress step() {
        allocator.drain();
        takeNews();
        Decision decision = decide();
        if (decision != Decision.COMPUTE) {
            return decision == Decision.IDLE ? Progress.IDLE : Progress.WAITING;
        }
        compute(composer.plan());
        return Progress.STEPPED;
    }

    private void takeNews() {
        takeArrivals();
        for (Sequence next = cancellations.poll(); next != null; next = cancellations.poll()) {
            // It may have been submitted since the arrivals were taken.
            takeArrivals();
            if (!next.ended()) {
                end(next, FinishReason.CANCELLED);
            }
        }
    }

    private void takeArrivals() {
        for (Sequence next = arrivals.poll(); next != null; next = arrivals.poll()) {
            arrive(next);
        }
    }

    private void arrive(Sequence sequence) {
        sequence.number = submitted++;
        try {
            sequence.open(allocator.open(sequence.prompt(), sequence.maxTokens(), sequence.imported()));
        } catch (IllegalArgumentException e) {
            sequence.fail(e, nanos.getAsLong());
            return;
        }
        waiting.add(sequence);
    }

    private Decision decide() {
        Decision decision = composer.decide(running, waiting);
        while (decision == Decision.MAKE_ROOM) {
            Sequence sequence = composer.youngest();
            allocator.preempt(sequence.request());
            makeRoom(sequence);
            decision = composer.decide(running, waiting);
        }
        return decision;
    }

    private void makeRoom(Sequence sequence) {
        sequence.preempt();
        running.remove(sequence);
        waiting.add(sequence);
    }

    private void compute(@Nullable StepPlan plan) {
        Step step = plan == null ? null : allocator.commit(plan);
        batched.clear();
        batch.start(step);
        // By index, here and below: an iterator would be all that a decoded token allocates.
        List<Sequence> advancing = composer.advancing();
        for (int i = 0; i < advancing.size(); i++) {
            add(advancing.get(i), advancing.get(i).request().length(), 1);
        }
        if (step != null) {
            seat(step);
        }
        try {
            device.run(batch);
        } catch (RuntimeException | Error e) {
            if (step != null) {
                allocator.giveUp(step);
                composer.asked().forEach(this::makeRoom);
            }
            throw e;
        }
        if (step != null) {
            allocator.finish(step);
        }
        for (int i = 0; i < advancing.size(); i++) {
            allocator.advance(advancing.get(i).request(), 1);
        }
        drawTokens();
    }

    private void add(Sequence sequence, int position, int tokens) {
        batched.add(sequence);
        batch.add(Objects.requireNonNull(sequence.part), position, tokens);
    }

    private void seat(Step step) {
        for (int i = 0; i < step.parts().size(); i++) {
            Sequence sequence = composer.asked().get(i);
            Step.Part part = step.parts().get(i);
            sequence.part = part;
            if (waiting.remove(sequence)) {
                running.add(sequence);
                running.sort(BY_AGE);
                sequence.admit(part.first(), nanos.getAsLong());
            }
            add(sequence, part.first(), part.tokens());
        }
    }

    /** What a listener throws comes out of here when everybody has had their token. */
    private void drawTokens() {
        Throwable thrown = null;
        boolean anyEnds = false;
        long now = nanos.getAsLong();
        int logits = 0;
        for (int i = 0; i < batch.size(); i++) {
            Sequence sequence = batched.get(i);
            sequence.computed(batch.from(i), batch.count(i));
            if (batch.wantsLogits(i)) {
                thrown = first(thrown, sequence.next(device.logits(), device.logitsAt(logits++), now));
                anyEnds |= sequence.ending != null;
            }
        }
        for (int i = 0; anyEnds && i < batched.size(); i++) {
            FinishReason reason = batched.get(i).ending;
            if (reason != null) {
                try {
                    end(batched.get(i), reason);
                } catch (RuntimeException | Error e) {
                    thrown = first(thrown, e);
                }
            }
        }
        switch (thrown) {
            case null -> {}
            case Error error -> throw error;
            default -> throw (RuntimeException) thrown;
        }
    }

    private static @Nullable Throwable first(@Nullable Throwable thrown, @Nullable Throwable next) {
        return thrown == null ? next : thrown;
    }

    private void end(Sequence sequence, FinishReason reason) {
        waiting.remove(sequence);
        running.remove(sequence);
        allocator.close(sequence.request());
        sequence.end(reason, nanos.getAsLong());
    }
}
