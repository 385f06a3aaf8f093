package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.Crowd.Member;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What each device has to keep: a request has the same bits of logits and of stored rows under every policy, recorded or
 * not, alone or in company, preempted or not. Rows of a long prompt come from a prefill of the CPU, so that a slow device
 * computes tokens after it only.
 */
class DeviceContractTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final int PROMPT = 381;
    private static final int DECODED = 5;
    private static final int TOKENS = PROMPT + DECODED;
    /** Null, index keys, a hot region, the last two pages and the next. */
    private static final int SMALLEST = 1 + 1 + 1 + 3;

    private static final int HOT = 64;

    @TempDir
    private static Path folder;

    private static ModelAndText text;
    private static Path file;
    private static final List<Path> OTHERS = new ArrayList<>();
    private static final Map<TestDevice, Devices> DEVICES = new EnumMap<>(TestDevice.class);
    private static final Map<TestDevice, Steps> RESIDENT = new EnumMap<>(TestDevice.class);

    /** What there was after each step. */
    private record Steps(List<float[]> logits, List<StoredKv> stored) {
        void take(ModelDevice device, ModelSession session) {
            while (session.pending() > 0) {
                session.step(device.maxRows());
            }
            device.cache().allocator().check();
            logits.add(Arrays.copyOf(session.logits().data(), session.logits().width()));
            stored.add(StoredKv.of(device, session));
        }

        void assertSameLogits(Steps expected) {
            assertThat(logits).hasSameSizeAs(expected.logits);
            for (int i = 0; i < logits.size(); i++) {
                assertThat(logits.get(i)).as("logits of step %d", i).containsExactly(expected.logits.get(i));
            }
        }

        void assertSame(Steps expected) {
            assertSameLogits(expected);
            for (int i = 0; i < stored.size(); i++) {
                stored.get(i).assertEqualTo(expected.stored.get(i));
            }
        }
    }

    @BeforeAll
    static void exportPrompts() {
        text = ModelAndText.random("glm-tiny/tiny-fp8", TOKENS);
        file = export("prefill", Arrays.copyOf(text.text(), PROMPT));
        OTHERS.add(export("other0", reversed(0)));
        OTHERS.add(export("other1", reversed(1)));
    }

    private static Path export(String name, int[] prompt) {
        Path written = folder.resolve(name + ".safetensors");
        try (Generator generator = new Generator(
                text.model(), FORMAT, CacheOptions.DEFAULT, PROMPT, 1, Lanes.vector(), 1, 512, LoadProgress.NONE)) {
            assertThat(generator.export(prompt, written, () -> false)).isTrue();
        }
        return written;
    }

    /** A prompt that has nothing in common with the text. */
    private static int[] reversed(int from) {
        return IntStream.range(0, PROMPT)
                .map(i -> text.text()[PROMPT + from - i])
                .toArray();
    }

    @AfterAll
    static void close() {
        DEVICES.values().forEach(Devices::close);
        text.close();
    }

    static Stream<Arguments> devicesWithAHostPool() {
        return devicesAndPolicies().filter(arguments -> {
            Object[] pair = arguments.get();
            return ((KvPolicy) pair[1]).usesHost() && ((TestDevice) pair[0]).asForUsers();
        });
    }

    static Stream<Arguments> devicesAndPolicies() {
        return TestDevice.here().stream()
                .flatMap(device -> Arrays.stream(KvPolicy.values())
                        .filter(policy -> device.readsHost() || !policy.usesHost())
                        .filter(policy -> policy == KvPolicy.HYBRID || device.asForUsers())
                        .map(policy -> Arguments.of(device, policy)));
    }

    static List<TestDevice> devices() {
        return TestDevice.here();
    }

    static Stream<TestDevice> devicesAsForUsers() {
        return TestDevice.here().stream().filter(TestDevice::asForUsers);
    }

    private static CacheConfig cache(KvPolicy policy, int seats) {
        int blocks = policy.losesPages() ? SMALLEST + seats - 1 : 1 + seats * 8;
        return new CacheConfig(
                policy, blocks, HOT, policy.usesHost() ? 32 * seats : 0, TOKENS, seats, CacheConfig.NONE);
    }

    private static ModelDevice open(TestDevice which, CacheConfig cache, int maxRows) {
        Devices devices = DEVICES.computeIfAbsent(which, key -> key.of(text.model(), FORMAT));
        ModelDevice device = devices.device(cache, maxRows, false);
        device.cache().poison();
        return device;
    }

    /** The tokens after the prefill, one by one. */
    private static Steps decode(ModelDevice device) {
        Steps steps = new Steps(new ArrayList<>(), new ArrayList<>());
        try (PrefillFile prefill = PrefillFile.open(file, text.model(), FORMAT);
                ModelSession session = device.open(TOKENS, Optional.of(imported(prefill, PROMPT)))) {
            session.append(text.text(), 0, PROMPT);
            for (int at = PROMPT; ; at++) {
                steps.take(device, session);
                if (at == TOKENS) {
                    return steps;
                }
                session.append(text.text(), at, 1);
            }
        }
    }

    /** By other requests, which end at once. */
    private static void takeEveryBlock(ModelDevice device) {
        for (int i = 0; i < OTHERS.size(); i++) {
            int[] prompt = reversed(i);
            try (PrefillFile prefill = PrefillFile.open(OTHERS.get(i), text.model(), FORMAT);
                    ModelSession session = device.open(TOKENS, Optional.of(prefill.of(prompt)))) {
                session.append(prompt, 0, PROMPT);
                while (session.pending() > 0) {
                    session.step(device.maxRows());
                }
            }
        }
    }

    private static Import imported(PrefillFile prefill, int tokens) {
        return prefill.of(Arrays.copyOf(text.text(), tokens));
    }

    private static Steps resident(TestDevice which) {
        return RESIDENT.computeIfAbsent(which, key -> {
            try (ModelDevice device = open(which, cache(KvPolicy.RESIDENT, 1), 8)) {
                Steps steps = decode(device);
                assertThat(device.counters().hotLookups()).isZero();
                return steps;
            }
        });
    }

    /** vllm#56158: a replay of a recorded graph that leaves out what a launch does would show in the bytes on the host. */
    @ParameterizedTest
    @MethodSource("devicesAndPolicies")
    void everyPolicyLeavesTheSameBits(TestDevice which, KvPolicy policy) {
        try (ModelDevice device = open(which, cache(policy, 1), 8)) {
            decode(device).assertSame(resident(which));
            assertThat(device.counters().hostRowsRead() > 0).isEqualTo(policy.losesPages());
            assertThat(device.counters().bytesWrittenBack() > 0).isEqualTo(policy.usesHost());
        }
    }

    /** Every device chooses the same slots here, where scores are far apart: as many rows are loaded as on the CPU, others than without scores. */
    @ParameterizedTest
    @MethodSource("devices")
    void whateverMakesRoomTheBitsAreTheSame(TestDevice which) {
        assumeTrue(which.readsHost());
        CacheConfig more = cache(KvPolicy.HYBRID, 1);
        CacheConfig room = new CacheConfig(
                more.policy(), more.blocks() + 1, 2 * HOT, more.hostPages(), TOKENS, 1, CacheConfig.NONE);
        List<Long> rowsRead = new ArrayList<>();
        for (TestDevice device : List.of(TestDevice.CPU, which)) {
            for (Replacement replacement : Replacement.values()) {
                try (ModelDevice with = open(device, room.with(replacement), 8)) {
                    decode(with).assertSame(resident(device));
                    rowsRead.add(with.counters().hostRowsRead());
                }
            }
        }
        assertThat(rowsRead.subList(2, 4)).isEqualTo(rowsRead.subList(0, 2));
        assertThat(rowsRead.get(1)).isPositive().isNotEqualTo(rowsRead.get(0));
    }

    @ParameterizedTest
    @MethodSource("devices")
    void replayedGraphsLeaveTheBitsOfLaunchedOnes(TestDevice which) {
        switch (which) {
            case EMULATED_UNRECORDED -> resident(which).assertSame(resident(TestDevice.EMULATED));
            case TORNADO_UNRECORDED -> resident(which).assertSame(resident(TestDevice.TORNADO));
            default -> assertGreedyTokensOfTheCpu(resident(which));
        }
    }

    private static void assertGreedyTokensOfTheCpu(Steps steps) {
        Steps expected = resident(TestDevice.CPU);
        for (int i = 0; i < expected.logits.size(); i++) {
            assertThat(largest(steps.logits.get(i))).as("token %d", i).isEqualTo(largest(expected.logits.get(i)));
        }
    }

    private static int largest(float[] logits) {
        int best = 0;
        for (int i = 1; i < logits.length; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        return best;
    }

    /** Of a prefix on the host index pages come back, and rows: under offload all of them, else those of the last page. */
    @ParameterizedTest
    @MethodSource("devicesWithAHostPool")
    void aTurnWhosePrefixIsOnTheHostHasTheSameBits(TestDevice which, KvPolicy policy) {
        try (ModelDevice device = open(which, cache(policy, 1), 8)) {
            decode(device);
            takeEveryBlock(device);
            try (ModelSession session = device.open(TOKENS)) {
                session.append(text.text(), 0, TOKENS);
                Steps last = new Steps(new ArrayList<>(), new ArrayList<>());
                last.take(device, session);
                assertThat(session.cached()).isEqualTo(384);
                assertThat(last.logits.getLast())
                        .containsExactly(resident(which).logits.getLast());
                last.stored.getLast().assertEqualTo(resident(which).stored.getLast());
            }
            KvGeometry geometry = device.cache().geometry();
            long keys = 6L * geometry.anchors() * geometry.indexPageBytes();
            long rows = 64L * geometry.layers() * geometry.rowBytes();
            assertThat(device.counters().bytesRestored()).isEqualTo(keys + (policy.returnsRows() ? 6 : 1) * rows);
        }
    }

    /** One request is on the device, one begins, one joins a prefix in the middle of an index block, one is on the host. */
    @ParameterizedTest
    @MethodSource("devicesAsForUsers")
    void aBatchHasTheBitsOfEachAlone(TestDevice which) {
        KvPolicy policy = which.readsHost() ? KvPolicy.HYBRID : KvPolicy.RECOMPUTE;
        // Too few for all rows of the last.
        CacheConfig few = new CacheConfig(policy, 12, HOT, policy.usesHost() ? 64 : 0, TOKENS, 4, CacheConfig.NONE);
        CacheConfig many = new CacheConfig(policy, 40, HOT, few.hostPages(), TOKENS, 4, CacheConfig.NONE);
        try (PrefillFile prefill = PrefillFile.open(file, text.model(), FORMAT);
                Crowd together = new Crowd(open(which, few, 8), 4, text.config().vocabSize())) {
            submit(together, prefill, 0);
            submit(together, prefill, 1);
            together.step();
            submit(together, prefill, 2);
            submit(together, prefill, 3);
            List<Member> all = together.finish();
            for (int request = 0; request < all.size(); request++) {
                try (Crowd alone =
                        new Crowd(open(which, many, 8), 4, text.config().vocabSize())) {
                    if (request == 2) {
                        submit(alone, prefill, 0);
                        alone.finish();
                    }
                    submit(alone, prefill, request);
                    all.get(request).assertEqualTo(alone.finish().getLast());
                }
            }
            assertThat(all.get(2).sequence().cached()).isEqualTo(128);
            assertThat(together.peakRunning()).isEqualTo(3);
            assertThat(together.device().counters().hostRowsRead() > 0).isEqualTo(which.readsHost());
        }
    }

    private static void submit(Crowd crowd, PrefillFile prefill, int request) {
        int[] from = {0, 100, 0, 0};
        int[] to = {150, 109, 135, PROMPT};
        int[] prompt = Arrays.copyOfRange(text.text(), from[request], to[request]);
        crowd.submit(prompt, 3, request % 3 == 0 ? Optional.of(prefill.of(prompt)) : Optional.empty());
    }
}
