package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.Crowd.Member;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;

/**
 * Random servers of a tiny model in tiny pools: requests come and go at any time, all that end have the bits that they
 * have alone, and the pools end empty. Runs for 20 seconds, or {@code -Dhotrow.soak.minutes}; a failure names the seed of
 * its server, which {@code -Dhotrow.soak.seed} begins with.
 */
class SoakTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final int LONGEST = 400;
    private static final int MOST_NEW = 140;
    private static final int REQUESTS = 14;

    private long requests;
    private long cancelled;
    private long preemptions;
    private long hostRows;

    private record Case(int from, int length, int newTokens) {
        int[] prompt(ModelAndText model) {
            return Arrays.copyOfRange(model.text(), from, from + length);
        }
    }

    private static List<Case> cases() {
        Random random = new Random(6);
        List<Case> cases = new ArrayList<>();
        for (int i = 0; i < REQUESTS; i++) {
            int length = i % 4 == 0 ? 64 * (1 + i / 4) : 1 + random.nextInt(LONGEST - MOST_NEW);
            // Some begin alike.
            cases.add(new Case(i % 3 == 0 ? 0 : random.nextInt(400), length, 1 + random.nextInt(MOST_NEW)));
        }
        return cases;
    }

    @Test
    void requestsComeAndGoInTinyPools() {
        double seconds = 60 * Double.parseDouble(System.getProperty("hotrow.soak.minutes", "0.333"));
        long seed = Long.getLong("hotrow.soak.seed", System.nanoTime());
        try (ModelAndText model = ModelAndText.random("glm-tiny/tiny-bf16", 800)) {
            List<Case> cases = cases();
            List<Member> alone = alone(model, cases);
            long end = System.nanoTime() + (long) (seconds * 1e9);
            int servers = 0;
            for (; System.nanoTime() < end; servers++, seed++) {
                try {
                    serve(model, cases, alone, new Random(seed));
                } catch (RuntimeException | Error e) {
                    throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
                }
            }
            System.out.printf(
                    "soak: %d servers, %d requests, %d cancelled, %d preemptions, %d rows read from the host%n",
                    servers, requests, cancelled, preemptions, hostRows);
            assertThat(cancelled).isPositive();
            assertThat(preemptions).isPositive();
            assertThat(hostRows).isPositive();
        }
    }

    private static List<Member> alone(ModelAndText model, List<Case> cases) {
        List<Member> members = new ArrayList<>();
        CacheConfig cache = CacheConfig.resident(model.config(), FORMAT, LONGEST);
        try (Crowd crowd = new Crowd(model, FORMAT, cache, LONGEST)) {
            for (Case each : cases) {
                members.add(crowd.submit(each.prompt(model), each.newTokens));
                crowd.finish();
            }
        }
        return members;
    }

    private static CacheConfig cache(ModelAndText model, Random random) {
        KvPolicy policy = random.nextInt(3) > 0
                ? KvPolicy.HYBRID
                : List.of(KvPolicy.values()).get(random.nextInt(4));
        int hotRows = 64 * (1 + random.nextInt(3));
        int pages = (LONGEST + 63) / 64;
        KvGeometry geometry = CacheConfig.geometry(model.config(), FORMAT, 2);
        int smallest = 1 + Math.ceilDiv(LONGEST, geometry.indexTokensPerBlock()) + hotRows / 64 + 3;
        int resident = CacheConfig.residentBlocks(model.config(), FORMAT, LONGEST);
        int blocks = policy.losesPages() ? Math.min(smallest, resident) : resident;
        int hostPages = policy.usesHost() ? pages + random.nextInt(4 * pages) : 0;
        return new CacheConfig(
                policy,
                blocks + random.nextInt(6),
                hotRows,
                hostPages,
                LONGEST,
                2 + random.nextInt(5),
                CacheConfig.NONE);
    }

    private void serve(ModelAndText model, List<Case> cases, List<Member> alone, Random random) {
        int budget = 1 + random.nextInt(random.nextBoolean() ? 20 : 300);
        try (Crowd crowd = new Crowd(model, FORMAT, cache(model, random), budget)) {
            List<Integer> which = new ArrayList<>();
            List<Member> members = new ArrayList<>();
            int left = 4 + random.nextInt(12);
            while (left > 0 || crowd.scheduler().running() + crowd.scheduler().waiting() > 0) {
                if (left > 0 && random.nextInt(8) == 0) {
                    int next = random.nextInt(cases.size());
                    which.add(next);
                    members.add(crowd.submit(cases.get(next).prompt(model), cases.get(next).newTokens));
                    left--;
                }
                if (!members.isEmpty() && random.nextInt(100) == 0) {
                    crowd.scheduler()
                            .cancel(members.get(random.nextInt(members.size())).sequence());
                }
                crowd.step();
            }
            // Hears that the last copies are through.
            assertThat(crowd.step()).isFalse();
            crowd.assertEmpty();
            for (int i = 0; i < members.size(); i++) {
                compare(members.get(i), alone.get(which.get(i)));
            }
            hostRows += crowd.device().counters().hostRowsRead();
        }
    }

    private void compare(Member member, Member alone) {
        requests++;
        preemptions += member.sequence().preemptions();
        if (member.sequence().finishReason() == FinishReason.CANCELLED) {
            cancelled++;
            member.assertBeginOf(alone);
        } else {
            member.assertEqualTo(alone);
        }
    }
}
