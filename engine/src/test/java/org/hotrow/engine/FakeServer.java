package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.Scheduler.Progress;

/** A scheduler over a {@link FakeDevice}, with blocks of one layer and 8 index pages. Invariants hold after every step. */
final class FakeServer {
    private static final int PATIENCE = 20_000;

    final Allocator allocator;
    final FakeDevice device;
    final Scheduler scheduler;
    final List<Sequence> sequences = new ArrayList<>();
    private final int blocks;
    private long now;
    private int prompts;

    FakeServer(KvPolicy policy, int blocks, int maxSeqs, int maxBatchedTokens) {
        this(policy, blocks, policy.usesHost() ? 200 : 0, maxSeqs, maxBatchedTokens);
    }

    FakeServer(KvPolicy policy, int blocks, int hostPages, int maxSeqs, int maxBatchedTokens) {
        this.blocks = blocks;
        KvGeometry geometry = KvGeometry.of(1, List.of(0), 64, 512, blocks);
        allocator = new Allocator(new AllocatorConfig(geometry, policy, 64, 16, hostPages, maxSeqs, 2000, 0));
        device = new FakeDevice(allocator);
        scheduler = new Scheduler(allocator, device, maxSeqs, maxBatchedTokens, () -> now++);
    }

    /** A request whose prompt nobody else has. */
    Sequence submit(int tokens, int newTokens) {
        int from = 1000 * ++prompts;
        return submit(IntStream.range(from, from + tokens).toArray(), newTokens);
    }

    Sequence submit(int[] prompt, int newTokens) {
        return submit(prompt, newTokens, (logits, at) -> (int) logits[at], id -> true);
    }

    Sequence submit(int[] prompt, int newTokens, Draw draw, TokenListener listener) {
        Sequence sequence = new Sequence(prompt, prompt.length + newTokens, id -> false, draw, listener);
        sequences.add(sequence);
        scheduler.submit(sequence);
        return sequence;
    }

    Progress step() {
        Progress progress = scheduler.step();
        allocator.check();
        if (progress == Progress.WAITING) {
            assertThat(allocator.copiesInFlight()).isPositive();
            device.complete();
        }
        return progress;
    }

    void steps(int count) {
        for (int i = 0; i < count; i++) {
            assertThat(step()).isEqualTo(Progress.STEPPED);
        }
    }

    /** The tokens per request of the next batch. */
    String next() {
        steps(1);
        return device.batches.getLast();
    }

    /** Steps until there is nothing to do; all have ended with what they say alone, and the pool is empty. */
    void finish() {
        int steps = 0;
        while (step() != Progress.IDLE) {
            assertThat(steps++).as("steps").isLessThan(PATIENCE);
        }
        for (Sequence sequence : sequences) {
            assertThat(sequence.ended()).isTrue();
            if (sequence.finishReason() != FinishReason.ERROR) {
                int last = sequence.prompt().length - 1;
                assertThat(sequence.output())
                        .isEqualTo(IntStream.range(0, sequence.generated())
                                .map(i -> last + i)
                                .toArray());
            }
        }
        assertEmpty();
    }

    void assertEmpty() {
        device.complete();
        allocator.drain();
        allocator.check();
        assertThat(allocator.freeBlocks()).isEqualTo(blocks - 1);
        assertThat(scheduler.running()).isZero();
        assertThat(scheduler.waiting()).isZero();
    }
}
