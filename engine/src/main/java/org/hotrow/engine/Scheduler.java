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
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Step;
import org.hotrow.engine.StepComposer.Compute;
import org.hotrow.engine.StepComposer.Decision;
import org.hotrow.engine.StepComposer.Nothing;
import org.hotrow.engine.StepComposer.Preempt;
import org.jspecify.annotations.Nullable;

/**
 * Continuous batching: many requests, step by step, on one device.
 *
 * <pre>
 * any thread      submit, cancel -> queues
 * owner's thread  step: | news | decide, commit | batch | tokens to listeners | ends |
 *                              '-- or the committed step goes on, while all its requests
 *                                  decode, its reserved rows last, and nobody comes or goes
 * </pre>
 *
 * What is decided how is {@link StepComposer}'s; the bits of a request's logits don't depend on it. Each request that
 * can run alone ends if steps are taken as long as they are {@link Progress#STEPPED}.
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
    private long endings;

    private final Batch batch;
    /** The committed step, and its requests by part. */
    private @Nullable Step open;

    private List<Sequence> batched = List.of();
    private boolean complete;

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
        takeNews();
        if (goesOn()) {
            continueStep();
        } else {
            settle();
            Decision decision = decide();
            if (decision instanceof Nothing nothing) {
                return nothing.copying() ? Progress.WAITING : Progress.IDLE;
            }
            begin((Compute) decision);
        }
        run();
        return Progress.STEPPED;
    }

    private void takeNews() {
        for (Sequence next = arrivals.poll(); next != null; next = arrivals.poll()) {
            arrive(next);
        }
        for (Sequence next = cancellations.poll(); next != null; next = cancellations.poll()) {
            if (!next.ended()) {
                end(next, FinishReason.CANCELLED);
            }
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
        complete = false;
    }

    /** Whether every request of the committed step decodes and has a row for its next token. */
    private boolean goesOn() {
        if (open == null || !complete) {
            return false;
        }
        for (int i = 0; i < batched.size(); i++) {
            Step.Part part = open.parts().get(i);
            Sequence sequence = batched.get(i);
            int reserved = part.first() + part.tokens() + part.drafts();
            if (sequence.pending() != 1 || sequence.computed == reserved) {
                return false;
            }
        }
        return true;
    }

    private void continueStep() {
        Step step = Objects.requireNonNull(open);
        batch.start(step, false);
        for (int i = 0; i < batched.size(); i++) {
            batch.add(step.parts().get(i), batched.get(i).computed, 1);
        }
    }

    private Decision decide() {
        Decision decision = composer.decide(running, waiting, endings);
        while (decision instanceof Preempt(Sequence sequence)) {
            allocator.preempt(sequence.request());
            makeRoom(sequence);
            decision = composer.decide(running, waiting, endings);
        }
        return decision;
    }

    private void makeRoom(Sequence sequence) {
        sequence.preempt(endings);
        running.remove(sequence);
        waiting.add(sequence);
    }

    private void begin(Compute decision) {
        Step step = allocator.commit(decision.plan());
        open = step;
        batched = decision.sequences();
        complete = decision.complete();
        batch.start(step, true);
        for (int i = 0; i < batched.size(); i++) {
            Sequence sequence = batched.get(i);
            Step.Part part = step.parts().get(i);
            if (waiting.remove(sequence)) {
                running.add(sequence);
                running.sort(BY_AGE);
                sequence.admit(part.first(), nanos.getAsLong());
            }
            batch.add(part, part.first(), part.tokens());
        }
    }

    private void run() {
        try {
            device.run(batch);
        } catch (RuntimeException | Error e) {
            giveUp();
            throw e;
        }
        int logits = 0;
        for (int i = 0; i < batch.size(); i++) {
            Sequence sequence = batched.get(i);
            sequence.computed(batch.from(i), batch.count(i));
            if (batch.wantsLogits(i)) {
                sequence.next(device.logits(), device.logitsAt(logits++), nanos);
            }
        }
        for (Sequence sequence : batched) {
            FinishReason reason = sequence.ending;
            if (reason != null) {
                end(sequence, reason);
            }
        }
    }

    /** The batch failed: what it did not compute for the first time stays; requests without rows begin again. */
    private void giveUp() {
        List<Sequence> failed = batched;
        settle();
        for (Sequence sequence : failed) {
            if (sequence.request().residency().isEmpty()) {
                makeRoom(sequence);
            }
        }
    }

    /** Ends the committed step with the rows that are computed, and hears of copies. */
    private void settle() {
        Step step = open;
        if (step != null) {
            IntArrayList kept = new IntArrayList(batched.size());
            for (int i = 0; i < batched.size(); i++) {
                int rows = batched.get(i).computed - step.parts().get(i).first();
                kept.add(rows == 0 ? -1 : rows);
            }
            allocator.finish(step, kept);
            open = null;
            batched = List.of();
        }
        allocator.drain();
    }

    private void end(Sequence sequence, FinishReason reason) {
        settle();
        waiting.remove(sequence);
        running.remove(sequence);
        allocator.close(sequence.request());
        endings++;
        complete = false;
        sequence.end(reason, nanos.getAsLong());
    }
}
