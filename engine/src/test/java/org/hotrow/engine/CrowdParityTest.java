package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.Crowd.Member;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The bits of a request don't depend on its company: alone or with 31 others in a pool for 4, under every policy. As
 * requests end, others move to other rows of the batch; what the device keeps of them follows their seats
 * (TRT-LLM#18359).
 */
class CrowdParityTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final int REQUESTS = 32;

    private static final class Request {
        final int[] prompt;
        final int newTokens;

        Request(int[] prompt, int newTokens) {
            this.prompt = prompt;
            this.newTokens = newTokens;
        }
    }

    private static CacheConfig cache(KvPolicy policy, int hotRows, int longest, int blocks) {
        int hostPages = policy.usesHost() ? REQUESTS * ((longest + 63) / 64) : 0;
        return new CacheConfig(policy, blocks, hotRows, hostPages, longest, REQUESTS, CacheConfig.NONE);
    }

    /** Prompts of mixed length out of a text, some with the beginning of others; few tokens or many to generate. */
    private static List<Request> requests(int[] text, int longest, int mostNew) {
        Random random = new Random(longest);
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            int length = i % 8 == 0 ? 64 * (1 + i / 8) : 1 + random.nextInt(longest - mostNew);
            int from = i % 4 == 1 ? 0 : random.nextInt(text.length - length);
            int[] prompt = Arrays.copyOfRange(text, from, from + length);
            requests.add(new Request(prompt, 1 + random.nextInt(mostNew)));
        }
        return requests;
    }

    private static List<Member> alone(ModelAndText model, List<Request> requests, int longest) {
        List<Member> members = new ArrayList<>();
        CacheConfig cache = CacheConfig.resident(model.config(), FORMAT, longest);
        try (Crowd crowd = new Crowd(model, FORMAT, cache, 512)) {
            for (Request request : requests) {
                members.add(crowd.submit(request.prompt, request.newTokens));
                crowd.finish();
            }
            assertThat(crowd.peakRunning()).isOne();
        }
        return members;
    }

    private static void assertParity(Crowd crowd, List<Request> requests, List<Member> alone) {
        for (Request request : requests) {
            crowd.submit(request.prompt, request.newTokens);
        }
        List<Member> members = crowd.finish();
        for (int i = 0; i < requests.size(); i++) {
            members.get(i).assertEqualTo(alone.get(i));
        }
    }

    @Test
    void thirtyTwoRequestsOfTheDemoModelInAPoolForFour() throws IOException {
        try (ModelAndText model = ModelAndText.demo(1398)) {
            int longest = 700;
            List<Request> requests = requests(model.text(), longest, 16);
            List<Member> alone = alone(model, requests, longest);
            int blocks = 4 * (CacheConfig.residentBlocks(model.config(), FORMAT, longest) - 1) + 1;
            Map<KvPolicy, Double> running = new EnumMap<>(KvPolicy.class);
            for (KvPolicy policy : KvPolicy.values()) {
                try (Crowd crowd = new Crowd(model, FORMAT, cache(policy, 256, longest, blocks), 256)) {
                    assertParity(crowd, requests, alone);
                    running.put(policy, crowd.meanRunning());
                    assertThat(crowd.peakRunning()).isGreaterThan(4);
                    assertThat(crowd.device().counters().hotLookups() > 0).isEqualTo(policy.losesPages());
                }
            }
            assertThat(running.get(KvPolicy.HYBRID)).as("%s", running).isGreaterThan(running.get(KvPolicy.OFFLOAD));
        }
    }

    /** A smaller model, with pools so small that requests make room all the time, and single rows of budget. */
    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void anyBudgetInAPoolForOne(KvPolicy policy) {
        int longest = 300;
        try (ModelAndText model = ModelAndText.random("glm-tiny/tiny-bf16", 1000)) {
            List<Request> requests = requests(model.text(), longest, 30).subList(0, 12);
            List<Member> alone = alone(model, requests, longest);
            int blocks = CacheConfig.residentBlocks(model.config(), FORMAT, longest);
            int preemptions = 0;
            for (int budget : new int[] {5, 64, 1000}) {
                try (Crowd crowd = new Crowd(model, FORMAT, cache(policy, 64, longest, blocks), budget)) {
                    assertParity(crowd, requests, alone);
                    preemptions += crowd.preemptions();
                }
            }
            assertThat(preemptions > 0).isEqualTo(!policy.reservesAll());
        }
    }
}
