package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A request that made room goes on as if it had not: four reports of one small engine (nano-vllm 144, 211, 217, 233),
 * where lengths that were known before a prefix hit were used after it. The tokens of {@link FakeDevice} are positions, so
 * one that is computed twice, lost or drawn too early is noticed by {@link FakeServer#finish}.
 */
class PreemptionTest {
    /** Tokens that the requests of a server know when they make room. */
    private static void run(FakeServer server, Set<Integer> lengths) {
        int[] known = new int[server.sequences.size()];
        int[] preemptions = new int[known.length];
        for (int steps = 0; steps < 2_000 && !server.sequences.stream().allMatch(Sequence::ended); steps++) {
            server.step();
            for (int i = 0; i < known.length; i++) {
                Sequence sequence = server.sequences.get(i);
                if (sequence.preemptions() > preemptions[i]) {
                    preemptions[i]++;
                    lengths.add(known[i]);
                }
                known[i] = sequence.prompt().length + sequence.generated();
            }
        }
        server.finish();
    }

    /** The younger of two makes room at every length from one page to beyond three. */
    private static Set<Integer> sweep(KvPolicy policy, int budget) {
        Set<Integer> lengths = new TreeSet<>();
        for (int older : new int[] {64, 150}) {
            for (int prompt = 1; prompt <= 140; prompt++) {
                FakeServer server = new FakeServer(policy, 8, 2, budget);
                server.submit(older, 150);
                server.submit(prompt, 150);
                run(server, lengths);
            }
        }
        return lengths;
    }

    @ParameterizedTest
    @EnumSource(
            value = KvPolicy.class,
            names = {"OFFLOAD", "RECOMPUTE"})
    void nanoVllm217RequestsMakeRoomAtEveryLengthAndGoOn(KvPolicy policy) {
        for (int budget : new int[] {1000, 50}) {
            Set<Integer> lengths = sweep(policy, budget);
            for (int pages = 2; pages <= 3; pages++) {
                assertThat(lengths).contains(pages * Block.TOKENS - 1, pages * Block.TOKENS, pages * Block.TOKENS + 1);
            }
        }
    }

    /** The second prefill of a request takes several chunks; only the last one gives a token. */
    @Test
    void nanoVllm144ASecondPrefillIsAPrefill() {
        FakeServer server = new FakeServer(KvPolicy.RECOMPUTE, 8, 2, 50);
        server.submit(64, 200);
        Sequence younger = server.submit(100, 200);
        run(server, new TreeSet<>());
        assertThat(younger.preemptions()).isOne();
        assertThat(younger.prefilled()).as("the prompt, twice").isEqualTo(200);
    }

    /** A prompt of whole pages, all of which the prefix cache has: something is left to compute, but not more. */
    @ParameterizedTest
    @EnumSource(
            value = KvPolicy.class,
            names = {"OFFLOAD", "HYBRID"})
    void nanoVllm144AFullHitComputesItsLastPage(KvPolicy policy) {
        FakeServer server = new FakeServer(policy, 20, 2, 1000);
        int[] prompt = IntStream.range(0, 256).toArray();
        server.submit(prompt, 5);
        server.finish();
        Sequence again = server.submit(prompt, 5);
        assertThat(server.next()).isEqualTo("64");
        server.finish();
        assertThat(again.cached()).isEqualTo(192);
    }

    /** Of a request that comes back, what the hit leaves is computed: never more than there are tokens. */
    @Test
    void nanoVllm211And233TokensAreCountedAfterTheHit() {
        int hits = 0;
        for (int prompt = 60; prompt <= 70; prompt++) {
            FakeServer server = new FakeServer(KvPolicy.OFFLOAD, 8, 2, 1000);
            server.submit(64, 200);
            Sequence younger = server.submit(prompt, 200);
            run(server, new TreeSet<>());
            List<Integer> chunks = server.device.batches.stream()
                    .flatMap(batch -> Arrays.stream(batch.replace("+ ", "").split(" ")))
                    .map(Integer::valueOf)
                    .filter(tokens -> tokens > 1)
                    .toList();
            assertThat(younger.preemptions()).isOne();
            assertThat(chunks)
                    .as("two prompts, and less than a page of what came back")
                    .hasSizeBetween(2, 3);
            hits += chunks.size() == 3 && chunks.getLast() < Block.TOKENS ? 1 : 0;
        }
        assertThat(hits).isGreaterThan(5);
    }

    /** Rows that wait for others' blocks keep their order of age, whatever their chunks. */
    @Test
    void theOldestNeverMakesRoom() {
        for (KvPolicy policy : KvPolicy.values()) {
            FakeServer server = new FakeServer(policy, 12, 4, 30);
            for (int i = 0; i < 6; i++) {
                server.submit(20 + 17 * i, 150);
            }
            server.finish();
            assertThat(server.sequences.getFirst().preemptions())
                    .as("%s", policy)
                    .isZero();
        }
    }
}
