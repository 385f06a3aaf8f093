package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.IntStream;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.Scheduler.Progress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Bugs of other servers, as tests of this one's scheduler. */
class ServingBugsTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Bytes that ten pages of decoding allocate after a prompt of so many pages: what is looked at costs objects here. */
    private static long bytesOfTenPages(int pages) {
        FakeServer server = new FakeServer(KvPolicy.HYBRID, 3000, 3000, 4, 1_000_000);
        Sequence sequence = server.submit(pages * Block.TOKENS, 2000);
        // Lists that had just the room for the prompt have grown by then.
        server.steps(200);
        long before = THREADS.getCurrentThreadAllocatedBytes();
        int generated = sequence.generated();
        while (sequence.generated() < generated + 10 * Block.TOKENS) {
            assertThat(server.scheduler.step()).isEqualTo(Progress.STEPPED);
        }
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    /** vllm#57930: a step costs what changes in it, not what requests have; prefixes are not gone through again. */
    @Test
    void aStepCostsTheSameAfterALongPrompt() {
        bytesOfTenPages(4);
        assertThat(bytesOfTenPages(1500)).isLessThan(bytesOfTenPages(4) * 3 / 2);
    }

    /** vllm#57104: copies that take their time, in pools that need them, stop nobody for ever. */
    @ParameterizedTest
    @CsvSource({"HYBRID, 8", "HYBRID, 30", "OFFLOAD, 8", "OFFLOAD, 30"})
    void slowCopiesDontStopARequestThatWaitsForThem(KvPolicy policy, int copyBatches) {
        FakeServer server = new FakeServer(policy, 9, 3, 90);
        server.device.copyBatches = copyBatches;
        for (int i = 0; i < 6; i++) {
            server.submit(100 + 40 * i, 90);
        }
        server.finish();
        assertThat(server.device.batches.size()).as("batches").isLessThan(2000);
    }

    /** sglang#30401: a prompt is as long as the pool allows that has to hold it, which is the host's under hybrid. */
    @Test
    void aPromptIsCappedByThePoolThatHoldsIt() {
        int pages = 40;
        for (KvPolicy policy : KvPolicy.values()) {
            for (int hostPages : policy.usesHost() ? new int[] {pages - 1, pages} : new int[] {0}) {
                FakeServer server = new FakeServer(policy, 12, hostPages, 2, 200);
                Sequence sequence = server.submit(pages * Block.TOKENS - 10, 10);
                server.finish();
                boolean runs = policy.losesPages() && hostPages == pages;
                assertThat(sequence.finishReason())
                        .as("%s, %d host pages", policy, hostPages)
                        .isEqualTo(runs ? FinishReason.LENGTH : FinishReason.ERROR);
                if (policy.losesPages() && !runs) {
                    assertThat(sequence.failure().orElseThrow())
                            .hasMessageContaining("40 pages of host pool, which has 39");
                }
            }
        }
    }

    /** sglang#35769: news of a copy comes when its request is gone and its seat and blocks are others'. */
    @ParameterizedTest
    @EnumSource(
            value = KvPolicy.class,
            names = {"HYBRID", "OFFLOAD"})
    void lateCompletionsBelongToWhatWasCopied(KvPolicy policy) {
        int[] prompt = IntStream.range(0, 200).toArray();
        for (boolean cancel : new boolean[] {true, false}) {
            FakeServer server = new FakeServer(policy, 12, 1, 1000);
            server.device.copyBatches = 1000;
            Sequence first = server.submit(prompt, cancel ? 100 : 1);
            server.steps(1);
            if (cancel) {
                server.scheduler.cancel(first);
            }
            Sequence second = server.submit(150, 100);
            server.steps(3);
            assertThat(first.ended()).isTrue();
            assertThat(second.ended()).as("has the seat now").isFalse();
            server.device.complete();
            server.finish();
            Sequence again = server.submit(prompt, 3);
            server.finish();
            assertThat(again.cached()).isEqualTo(192);
        }
    }
}
