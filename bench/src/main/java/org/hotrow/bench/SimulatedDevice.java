package org.hotrow.bench;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.function.IntSupplier;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Completion;
import org.hotrow.allocator.Completion.Kind;
import org.hotrow.allocator.Step;
import org.hotrow.engine.Batch;
import org.hotrow.engine.StepDevice;
import org.jspecify.annotations.Nullable;

/**
 * Computes nothing and moves no bytes, but takes as long as the {@link StepTime} says. Copies to the host go one after
 * another over a link of their own; their completions are posted when the clock gets there.
 *
 * <p>With drafts, a token of the scheduler stands for {@link Serving#tokensPerStep()} of the text.
 */
final class SimulatedDevice implements StepDevice {
    private record Copy(long number, long due) {}

    private static final float[] LOGITS = {0};

    private final Serving serving;
    private final StepTime stepTime;
    private final Allocator allocator;
    private final VirtualClock clock;
    private final HotReads[] bySeat = new HotReads[H200Node.MAX_SEQUENCES];
    private final Queue<Copy> copies = new ArrayDeque<>();
    private final IntSupplier running;
    private long linkFree;
    private double busySeconds;
    private double runningSeconds;
    private double lookups;
    private double misses;

    /** @param running requests that have seats */
    SimulatedDevice(Serving serving, Allocator allocator, VirtualClock clock, IntSupplier running) {
        this.serving = serving;
        this.allocator = allocator;
        this.clock = clock;
        this.running = running;
        stepTime = serving.stepTime();
    }

    @Override
    public void run(Batch batch) {
        batch.step().ifPresent(this::update);
        StepWork work =
                new StepWork(0, 0, 0, 0, 0, 0, batch.step().map(this::restored).orElse(0L));
        for (int i = 0; i < batch.size(); i++) {
            int seat = batch.part(i).residency().seat();
            work = work.plus(work(bySeat[seat], batch.from(i), batch.count(i)));
        }
        double seconds = stepTime.seconds(work);
        clock.advance(seconds);
        busySeconds += seconds;
        runningSeconds += running.getAsInt() * seconds;
        batch.step().ifPresent(this::start);
        deliver();
    }

    private void update(Step step) {
        step.others().forEach(this::update);
        step.parts().forEach(this::update);
    }

    private void update(Step.Part part) {
        int seat = part.residency().seat();
        if (part.appendedFrom() == 0) {
            bySeat[seat] = new HotReads(serving.hotRows());
        }
        bySeat[seat].update(part);
    }

    private StepWork work(HotReads rows, int from, int count) {
        boolean decodes = count == 1;
        StepWork computed = decodes ? StepWork.decode(1, from) : StepWork.prefill(from, count);
        if (!decodes && serving.stagesPrefix()) {
            return computed.from(rows.lostRows(), 0);
        }
        double lookupsBefore = rows.lookups();
        double missed = rows.read(decodes ? serving.tokensPerStep() : count);
        lookups += rows.lookups() - lookupsBefore;
        misses += missed;
        return computed.from(missed, 0);
    }

    private long restored(Step step) {
        return step.rowRestores().size() * serving.rowPageBytes()
                + step.indexRestores().size() * serving.indexPageBytes();
    }

    private void start(Step step) {
        double seconds = (serving.rowPageBytes() + serving.indexPageBytes()) / H200Node.WRITE_BACK_BYTES_PER_SECOND;
        for (Step.WriteBack copy : step.writeBacks()) {
            linkFree = Math.max(linkFree, clock.getAsLong()) + VirtualClock.nanos(seconds);
            copies.add(new Copy(copy.copy(), linkFree));
            allocator.post(new Completion(copy.copy(), Kind.ENQUEUED));
        }
    }

    /** Posts what has completed by now. */
    void deliver() {
        while (nextCopy() <= clock.getAsLong()) {
            allocator.post(new Completion(copies.remove().number, Kind.COMPLETED));
        }
    }

    /** When the next copy completes. */
    long nextCopy() {
        @Nullable Copy next = copies.peek();
        return next == null ? Long.MAX_VALUE : next.due;
    }

    /** Mean number of requests that had seats, over the time that steps took. */
    double meanRunning() {
        return runningSeconds / busySeconds;
    }

    /** Share of the lookups of lost rows that the hot regions had; 1 without any. */
    double hotHitRate() {
        return lookups == 0 ? 1 : 1 - misses / lookups;
    }

    @Override
    public float[] logits() {
        return LOGITS;
    }

    @Override
    public int logitsAt(int i) {
        return 0;
    }
}
