package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.Completion.Kind;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.Scheduler.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What listeners, other threads and copies do at the worst moment. */
class SchedulerFailuresTest {
    private static TokenListener whenEnded(Runnable action) {
        return new TokenListener() {
            @Override
            public boolean accept(int id) {
                return true;
            }

            @Override
            public void ended() {
                action.run();
            }
        };
    }

    private static Sequence sequence(int from, TokenListener listener, int stopAt) {
        int[] prompt = {from, from + 1, from + 2};
        return new Sequence(prompt, 20, id -> id == stopAt, (logits, at) -> (int) logits[at], listener);
    }

    /** The same as a submit and a cancel by another thread between the polls of both queues. */
    @Test
    void aRequestSubmittedAndCancelledWhileCancellationsAreTakenIsCancelled() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 4, 100);
        Sequence late = sequence(50, id -> true, -1);
        Sequence early = sequence(
                1,
                whenEnded(() -> {
                    server.scheduler.submit(late);
                    server.scheduler.cancel(late);
                }),
                -1);
        server.scheduler.submit(early);
        server.step();
        server.scheduler.cancel(early);
        server.step();
        server.step();
        assertThat(late.finishReason()).isEqualTo(FinishReason.CANCELLED);
    }

    /** The race itself, with two threads. */
    @Test
    @Timeout(60)
    void submitAndCancelOfAnotherThreadNeverStopTheScheduler() throws InterruptedException {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 4, 100);
        AtomicBoolean done = new AtomicBoolean();
        Thread client = new Thread(() -> {
            for (int i = 0; i < 20_000 && !done.get(); i++) {
                Sequence sequence = sequence(i, id -> true, -1);
                server.scheduler.submit(sequence);
                server.scheduler.cancel(sequence);
                if (i % 16 == 0) {
                    LockSupport.parkNanos(1);
                }
            }
            done.set(true);
        });
        client.start();
        try {
            while (!done.get()) {
                server.scheduler.step();
            }
        } finally {
            done.set(true);
            client.join();
        }
    }

    /** What one listener throws at its end must not lengthen the text of another request that ends in the same batch. */
    @Test
    void aThrowingEndOfOneRequestLeavesTheOthersEndAsItWas() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 4, 100);
        Sequence throwing = sequence(
                1,
                whenEnded(() -> {
                    throw new EngineException("end");
                }),
                4);
        Sequence other = sequence(100, id -> true, 4);
        server.scheduler.submit(throwing);
        server.scheduler.submit(other);
        assertThatThrownBy(() -> {
                    while (server.step() != Progress.IDLE) {}
                })
                .hasMessage("end");
        while (server.step() != Progress.IDLE) {}
        assertThat(other.finishReason()).isEqualTo(FinishReason.STOP);
        assertThat(other.output()).containsExactly(2, 3, 4);
    }

    /** A token that ends a text has been heard, so a device that fails behind it must not lengthen the text. */
    @Test
    void aDeviceThatFailsBehindTheLastTokenLeavesTheEndAsItWas() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 4, 100);
        Sequence sequence = sequence(
                100,
                id -> {
                    server.device.failsToComplete = id == 4;
                    return true;
                },
                4);
        server.scheduler.submit(sequence);
        assertThatThrownBy(() -> {
                    while (server.step() != Progress.IDLE) {}
                })
                .hasMessage("the device failed");
        while (server.step() != Progress.IDLE) {}
        assertThat(sequence.finishReason()).isEqualTo(FinishReason.STOP);
        assertThat(sequence.output()).containsExactly(2, 3, 4);
    }

    /** After an Error of one listener the others of its batch go on. */
    @Test
    void anErrorOfOneListenerLeavesTheOthersGoingOn() {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 30, 4, 100);
        server.scheduler.submit(sequence(
                1,
                id -> {
                    throw new StackOverflowError("listener");
                },
                -1));
        Sequence other = sequence(100, id -> true, -1);
        server.scheduler.submit(other);
        assertThatThrownBy(server::step).hasMessage("listener");
        while (server.step() != Progress.IDLE) {}
        assertThat(other.finishReason()).isEqualTo(FinishReason.LENGTH);
    }

    /** Copies that fail and are well again later, or that lag: a lone request must get a step that copies. */
    @Test
    void aLoneRequestWhoseCopiesFailedGoesOn() {
        KvGeometry geometry = KvGeometry.of(1, List.of(0), 64, 512, 6);
        Allocator allocator = new Allocator(new AllocatorConfig(geometry, KvPolicy.HYBRID, 64, 16, 100, 1, 100, 0));
        int[] batches = {0};
        StepDevice device = new StepDevice() {
            @Override
            public void run(Batch batch) {
                Kind kind = batches[0]++ < 200 ? Kind.FAILED : Kind.COMPLETED;
                batch.step()
                        .ifPresent(step -> step.writeBacks()
                                .forEach(copy ->
                                        allocator.post(new org.hotrow.allocator.Completion(copy.copy(), kind))));
            }

            @Override
            public float[] logits() {
                return new float[1];
            }

            @Override
            public int logitsAt(int i) {
                return 0;
            }
        };
        Scheduler scheduler = new Scheduler(allocator, device, 1, 100, () -> 0);
        Sequence lone = new Sequence(new int[] {1}, 400, id -> false, (logits, at) -> 1, id -> true);
        scheduler.submit(lone);
        while (scheduler.step() != Progress.IDLE) {}
        assertThat(lone.finishReason()).isEqualTo(FinishReason.LENGTH);
    }
}
