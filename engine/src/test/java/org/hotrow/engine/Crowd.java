package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hotrow.allocator.Import;
import org.hotrow.engine.Scheduler.Progress;

/** Sequences on one scheduler over a poisoned cache. Keeps all their logits; the invariants hold after every step. */
final class Crowd implements AutoCloseable {
    private final Workers workers = new Workers(2);
    private final ModelDevice device;
    private final Scheduler scheduler;
    private final int vocab;
    private final List<Member> members = new ArrayList<>();
    private int steps;
    private long runningSum;
    private int runningPeak;

    /** A sequence and the logits that its tokens were drawn from, greedily. */
    record Member(Sequence sequence, List<float[]> logits) {
        /** In the bits. */
        void assertEqualTo(Member other) {
            assertThat(sequence.output()).isEqualTo(other.sequence.output());
            assertThat(logits).hasSameSizeAs(other.logits);
            assertBeginOf(other);
        }

        /** In the bits, as far as it got. */
        void assertBeginOf(Member other) {
            for (int i = 0; i < logits.size(); i++) {
                assertThat(Arrays.equals(logits.get(i), other.logits.get(i)))
                        .as("logits of generated token %d after %d of the prompt", i, sequence.prompt().length)
                        .isTrue();
            }
        }
    }

    Crowd(ModelAndText model, CacheFormat format, CacheConfig cache, int maxBatchedTokens) {
        device = model.device(format, cache, workers, maxBatchedTokens);
        scheduler =
                new Scheduler(device.cache().allocator(), device, cache.seats(), maxBatchedTokens, System::nanoTime);
        vocab = model.config().vocabSize();
    }

    /** Sequences on any device, which is closed with them. */
    Crowd(ModelDevice device, int seats, int vocab) {
        this(device, device, seats, vocab);
    }

    /** @param between what the scheduler talks to: passes all on to the device */
    Crowd(ModelDevice device, StepDevice between, int seats, int vocab) {
        this.device = device;
        this.vocab = vocab;
        device.cache().poison();
        scheduler = new Scheduler(
                device.cache().allocator(),
                between,
                seats,
                device.maxRows(),
                device.cache().drafts(),
                System::nanoTime);
    }

    Member submit(int[] prompt, int newTokens) {
        return submit(prompt, newTokens, Optional.empty());
    }

    Member submit(int[] prompt, int newTokens, Optional<Import> imported) {
        List<float[]> kept = new ArrayList<>();
        Sequence sequence = new Sequence(
                prompt,
                prompt.length + newTokens,
                id -> false,
                (logits, from) -> {
                    float[] row = Arrays.copyOfRange(logits, from, from + vocab);
                    kept.add(row);
                    return largest(row);
                },
                id -> true,
                imported);
        scheduler.submit(sequence);
        Member member = new Member(sequence, kept);
        members.add(member);
        return member;
    }

    private static int largest(float[] row) {
        int best = 0;
        for (int i = 1; i < row.length; i++) {
            best = row[i] > row[best] ? i : best;
        }
        return best;
    }

    /** One step; false if there was nothing to do. */
    boolean step() {
        Progress progress = scheduler.step();
        device.cache().allocator().check();
        steps++;
        runningSum += scheduler.running();
        runningPeak = Math.max(runningPeak, scheduler.running());
        return progress == Progress.STEPPED;
    }

    /** Steps until all have ended, each without an error, and the pool is empty. */
    List<Member> finish() {
        while (step()) {
            assertThat(steps).as("steps").isLessThan(100_000);
        }
        for (Member member : members) {
            assertThat(member.sequence.finishReason()).isEqualTo(FinishReason.LENGTH);
        }
        assertEmpty();
        return members;
    }

    void assertEmpty() {
        assertThat(device.cache().allocator().freeBlocks())
                .isEqualTo(device.cache().geometry().blocks() - 1);
        assertThat(scheduler.running() + scheduler.waiting()).isZero();
    }

    double meanRunning() {
        return (double) runningSum / steps;
    }

    int peakRunning() {
        return runningPeak;
    }

    int preemptions() {
        return members.stream().mapToInt(m -> m.sequence.preemptions()).sum();
    }

    Scheduler scheduler() {
        return scheduler;
    }

    ModelDevice device() {
        return device;
    }

    @Override
    public void close() {
        device.close();
        workers.close();
    }
}
