package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@link KvGeometry#seats} against the allocator itself, which plans requests of a length until it refuses one. */
class SeatsTest {
    private static final int CHUNK = 2048;

    /** An allocator whose copies complete at once, and the requests that it admitted. */
    private static final class Server {
        final Allocator allocator;
        final List<KvRequest> admitted = new ArrayList<>();

        Server(KvGeometry geometry, KvPolicy policy, int hotRows, int hostPages) {
            allocator = new Allocator(
                    new AllocatorConfig(geometry, policy, hotRows, Math.min(hotRows, 2048), hostPages, 2_500, 4096, 0));
        }

        /** Admits requests of {@code tokens} different tokens until one is refused; each computes its first token. */
        Refusal fill(int tokens) {
            while (true) {
                int[] prompt = new int[tokens];
                prompt[0] = admitted.size();
                KvRequest request = allocator.open(prompt, tokens);
                switch (allocator.plan(List.of(new Ask(request, 1, 0)))) {
                    case StepPlan plan -> run(plan);
                    case Refusal refusal -> {
                        return refusal;
                    }
                }
                admitted.add(request);
            }
        }

        private void run(StepPlan plan) {
            Step step = allocator.commit(plan);
            allocator.finish(step);
            for (Step.WriteBack copy : step.writeBacks()) {
                allocator.post(new Completion(copy.copy(), Completion.Kind.COMPLETED));
            }
            allocator.drain();
        }

        /** Computes all tokens of all requests, in shorter chunks where long ones don't fit; nobody makes room. */
        void prefill() {
            for (KvRequest request : admitted) {
                for (int chunk = CHUNK; request.length() < request.known(); ) {
                    if (allocator.plan(List.of(new Ask(request, chunk, 0))) instanceof StepPlan plan) {
                        run(plan);
                    } else {
                        chunk /= 2;
                        assertThat(chunk).as("no token fits").isPositive();
                    }
                }
            }
            allocator.check();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "V53, 100, 4096", "V53, 4288, 4096", "V53, 4289, 4096", "V53, 32768, 4096", "V53, 81920, 4096",
        "V53, 131072, 4096", "V53, 262144, 4096", "V53, 1048576, 4096", "V53, 32768, 10240", "V53, 81920, 10240",
        "V53_MTP, 81920, 10240", "V51, 81920, 4096", "DEEPSEEK_V32, 131072, 4096"
    })
    void theAllocatorAdmitsJustSoMany(Glm model, int tokens, int hotRows) {
        KvGeometry geometry = model.in(PublishedSeats.poolBytes());
        int seats = geometry.seats(tokens, hotRows);
        Server server = new Server(geometry, KvPolicy.HYBRID, hotRows, (seats + 1) * Block.pages(tokens));
        assertThat(server.fill(tokens).reason()).isEqualTo(Refusal.Reason.ADMISSION);
        assertThat(server.admitted).hasSize(seats);
        server.prefill();
        assertThat(server.admitted).allMatch(request -> request.length() == tokens);
        assertThat(server.allocator.pool().free()).isNotNegative();
    }

    /** sglang#26849: a pool for offload must not cost seats. Host pools from none to plenty. */
    @Test
    void offloadNeverLowersTheSeats() {
        for (int blocks : new int[] {12, 31, 64, 200}) {
            KvGeometry geometry = KvGeometry.of(2, List.of(0), 8, 128, blocks);
            for (int tokens = 1; tokens < blocks * 40; tokens += 37) {
                for (int hotRows : new int[] {64, 300}) {
                    int most = Block.pages(tokens) + geometry.indexBlocks(tokens);
                    if (most >= blocks) {
                        continue;
                    }
                    Map<Integer, Integer> seats = new TreeMap<>();
                    for (int hostPages : new int[] {0, 3, 20, 4000}) {
                        Server server = new Server(geometry, KvPolicy.HYBRID, hotRows, hostPages);
                        server.fill(tokens);
                        seats.put(hostPages, server.admitted.size());
                    }
                    Server resident = new Server(geometry, KvPolicy.RESIDENT, hotRows, 0);
                    resident.fill(tokens);
                    assertThat(resident.admitted).hasSize((blocks - 1) / most);
                    assertThat(List.copyOf(seats.values()))
                            .isSorted()
                            .allMatch(count -> count >= resident.admitted.size());
                    assertThat(seats).containsEntry(4000, geometry.seats(tokens, hotRows));
                }
            }
        }
    }
}
