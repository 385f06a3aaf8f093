package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.ResidencyState;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where rows are is not what they say: under every policy, in pools down to the smallest, with every format and hot size,
 * every logit of a text equals in the bits the one of the resident run. All memory is NaN before it is written, and a
 * block or page that changes its owner becomes NaN again; the allocator's invariants hold after every step.
 */
class PolicyParityTest {
    /** Tokens at the end of a text that are decoded one by one. */
    private static final int DECODED = 70;

    private static final Map<String, ModelAndText> TEXTS = new HashMap<>();
    private static final Map<String, List<float[]>> RESIDENT = new HashMap<>();

    private static ModelAndText random(String checkpoint, int tokens) {
        return TEXTS.computeIfAbsent(checkpoint + " " + tokens, key -> ModelAndText.random(checkpoint, tokens));
    }

    private static ModelAndText tiny(int tokens) {
        return random("glm-tiny/tiny-bf16", tokens);
    }

    @AfterAll
    static void close() {
        TEXTS.values().forEach(ModelAndText::close);
        TEXTS.clear();
        RESIDENT.clear();
    }

    /** The pool of the smallest size in which a request of the text's length runs, with a host pool for all of it. */
    private static CacheConfig smallest(ModelAndText text, CacheFormat format, int hotRows) {
        int tokens = text.text().length;
        int blocks = smallestBlocks(text, format, hotRows, tokens);
        return new CacheConfig(KvPolicy.HYBRID, blocks, hotRows, (tokens + 63) / 64, tokens, 1, CacheConfig.NONE);
    }

    /** As the architecture has it; index tokens of a block depend on the pool in other models only. */
    private static int smallestBlocks(ModelAndText text, CacheFormat format, int hotRows, int tokens) {
        KvGeometry geometry = CacheConfig.geometry(text.config(), format, 2);
        return 1 + Math.ceilDiv(tokens, geometry.indexTokensPerBlock()) + Math.ceilDiv(hotRows, 64) + 3;
    }

    private static CacheConfig with(CacheConfig cache, KvPolicy policy, int blocks) {
        int hostPages = policy.usesHost() ? Math.max(1, cache.hostPages()) : 0;
        return new CacheConfig(
                        policy, blocks, cache.hotRows(), hostPages, cache.maxTokens(), cache.seats(), CacheConfig.NONE)
                .with(cache.replacement());
    }

    /** Logits of all tokens, computed in chunks and at the end one by one. */
    private static List<float[]> logits(ModelSession session, int[] text, int chunk, ModelDevice device) {
        List<float[]> logits = new ArrayList<>();
        int prompt = Math.max(1, text.length - DECODED);
        session.append(text, 0, prompt);
        while (session.pending() > 0) {
            keep(session, session.step(chunk), logits, device);
        }
        for (int i = prompt; i < text.length; i++) {
            session.append(text, i, 1);
            keep(session, session.step(1), logits, device);
        }
        return logits;
    }

    private static void keep(ModelSession session, int rows, List<float[]> logits, ModelDevice device) {
        device.cache().allocator().check();
        CpuActivation all = session.logits();
        for (int row = 0; row < rows; row++) {
            logits.add(row(all, row));
        }
    }

    private static List<float[]> resident(ModelAndText text, CacheFormat format) {
        return RESIDENT.computeIfAbsent(System.identityHashCode(text) + " " + format, key -> {
            int tokens = text.text().length;
            try (Workers workers = new Workers(2);
                    ModelDevice device = text.device(format, workers, tokens, WalkProbe.NONE);
                    ModelSession session = device.open(tokens)) {
                List<float[]> logits = logits(session, text.text(), tokens, device);
                assertThat(device.counters().hotLookups()).isZero();
                return logits;
            }
        });
    }

    /** Compares with the resident run; the counters say what happened. */
    private static CacheCounters assertParity(ModelAndText text, CacheFormat format, CacheConfig cache, int chunk) {
        List<float[]> expected = resident(text, format);
        try (Workers workers = new Workers(2);
                ModelDevice device = text.device(format, cache, workers, chunk, WalkProbe.NONE);
                ModelSession session = device.open(text.text().length)) {
            List<float[]> logits = logits(session, text.text(), chunk, device);
            assertThat(logits).hasSameSizeAs(expected);
            for (int i = 0; i < logits.size(); i++) {
                assertThat(Arrays.equals(logits.get(i), expected.get(i)))
                        .as("logits of token %d, %s, chunks of %d", i, cache, chunk)
                        .isTrue();
            }
            CacheCounters counters = device.counters();
            assertThat(counters.hostBytesRead())
                    .isEqualTo(
                            counters.hostRowsRead() * device.cache().geometry().rowBytes());
            assertThat(counters.hotHits()).isBetween(0L, counters.hotLookups());
            assertThat(counters.peakDeviceBlocks()).isLessThan(cache.blocks());
            return counters;
        }
    }

    static List<String> checkpoints() {
        return List.of("glm-tiny/tiny-bf16", "glm-tiny/tiny-fp8", "dsv32-tiny/tiny-fp8");
    }

    @ParameterizedTest
    @MethodSource("checkpoints")
    void aPromptOfSeveralTimesTheSmallestPool(String checkpoint) {
        // An index block of the model without shared selections holds less than half the tokens.
        boolean shares = checkpoint.startsWith("glm");
        int tokens = shares ? 1600 : 2400;
        for (KvDtype dtype : KvDtype.values()) {
            CacheFormat format = CacheFormat.of(dtype);
            ModelAndText text = random(checkpoint, tokens);
            CacheConfig cache = smallest(text, format, 64);
            assertThat(tokens).isGreaterThan((shares ? 3 : 2) * 64 * cache.blocks());
            CacheCounters counters = assertParity(text, format, cache, 512);
            assertThat(counters.spilledPages()).isPositive();
            assertThat(counters.hostRowsRead()).isPositive();
            assertThat(counters.hotHits()).isPositive();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {64, 128, 192, 320})
    void everyHotSizeFromTopKUp(int hotRows) {
        CacheFormat format = CacheFormat.of(KvDtype.FP8);
        ModelAndText text = tiny(700);
        CacheConfig cache = smallest(text, format, hotRows);
        for (int chunk : new int[] {1, 63, 512}) {
            assertThat(assertParity(text, format, cache, chunk).hostRowsRead()).isPositive();
        }
    }

    /** The lowest scores make room, or the least recently used: other rows are loaded, and nothing else differs. */
    @ParameterizedTest
    @ValueSource(ints = {64, 128, 192})
    void whicheverRowsMakeRoom(int hotRows) {
        CacheFormat format = CacheFormat.of(KvDtype.FP8);
        ModelAndText text = tiny(700);
        Set<Long> rowsRead = new HashSet<>();
        for (Replacement replacement : Replacement.values()) {
            CacheConfig cache = smallest(text, format, hotRows).with(replacement);
            for (int chunk : new int[] {1, 63, 512}) {
                rowsRead.add(assertParity(text, format, cache, chunk).hostRowsRead());
            }
        }
        // Where a selection fills the region there is nothing to choose.
        assertThat(rowsRead).hasSizeGreaterThan(hotRows == 64 ? 1 : 3);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 8})
    void everyPoolFromTheSmallestUp(int more) {
        CacheFormat format = CacheFormat.of(KvDtype.FP32);
        ModelAndText text = tiny(700);
        CacheConfig cache = smallest(text, format, 64);
        int all = CacheConfig.residentBlocks(text.config(), format, 700);
        int blocks = Math.min(cache.blocks() + more, all);
        CacheCounters counters = assertParity(text, format, with(cache, KvPolicy.HYBRID, blocks), 100);
        assertThat(counters.hostRowsRead() > 0).isEqualTo(blocks < all);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 62, 63, 64, 65, 66, 127, 128, 129, 255, 256, 257, 319, 320, 321, 383, 384, 385})
    void lengthsAroundWholePages(int tokens) {
        CacheFormat format = CacheFormat.of(KvDtype.BF16);
        ModelAndText text = tiny(tokens);
        int blocks = Math.min(
                smallestBlocks(text, format, 64, tokens), CacheConfig.residentBlocks(text.config(), format, tokens));
        assertParity(text, format, with(smallest(text, format, 64), KvPolicy.HYBRID, blocks), 64);
        assertParity(text, format, with(smallest(text, format, 64), KvPolicy.HYBRID, blocks), 512);
    }

    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void everyPolicyInAPoolThatHoldsTheRequest(KvPolicy policy) {
        ModelAndText text = tiny(700);
        for (KvDtype dtype : KvDtype.values()) {
            CacheFormat format = CacheFormat.of(dtype);
            int blocks = CacheConfig.residentBlocks(text.config(), format, 700);
            CacheCounters counters = assertParity(text, format, with(smallest(text, format, 64), policy, blocks), 200);
            assertThat(counters.hotLookups()).isZero();
            assertThat(counters.bytesWrittenBack() > 0).isEqualTo(policy.usesHost());
        }
    }

    /**
     * A request makes room in every residency state, others use its blocks, and it goes on as if nothing had been; twice
     * (sglang#40729, #33385).
     */
    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void aRequestThatMadeRoomGoesOnInTheSameBits(KvPolicy policy) {
        CacheFormat format = CacheFormat.of(KvDtype.FP8);
        int tokens = 448;
        ModelAndText text = tiny(tokens);
        List<float[]> expected = resident(text, format);
        int blocks = policy.losesPages()
                ? smallestBlocks(text, format, 64, tokens)
                : CacheConfig.residentBlocks(text.config(), format, tokens);
        int hostPages = policy.usesHost() ? 16 : 0;
        CacheConfig cache = new CacheConfig(policy, blocks, 64, hostPages, tokens, 2, CacheConfig.NONE);
        Set<ResidencyState> states = EnumSet.noneOf(ResidencyState.class);
        for (int at : new int[] {1, 63, 64, 65, 128, 191, 192, 193, 256, 320, 384, 440}) {
            try (Workers workers = new Workers(1);
                    ModelDevice device = text.device(format, cache, workers, 64, WalkProbe.NONE);
                    ModelSession session = device.open(tokens)) {
                session.append(text.text(), 0, at);
                finish(session, device);
                for (int next = at; next < at + 2; next++) {
                    states.add(session.residency().state());
                    session.preempt();
                    visit(device, text.text());
                    session.append(text.text(), next, 1);
                    int rows = finish(session, device);
                    assertThat(session.cached()).isEqualTo(policy.usesHost() ? next / 64 * 64 : 0);
                    assertThat(row(session.logits(), rows - 1)).isEqualTo(expected.get(next));
                }
            }
        }
        assertThat(states)
                .isEqualTo(policy.losesPages() ? EnumSet.allOf(ResidencyState.class) : EnumSet.of(ResidencyState.FULL));
    }

    /** Computes what is pending; the result are the rows of the last step. */
    private static int finish(ModelSession session, ModelDevice device) {
        int rows = 0;
        while (session.pending() > 0) {
            rows = session.step(64);
            device.cache().allocator().check();
        }
        return rows;
    }

    /** Another request takes all blocks of the pool that it can. */
    private static void visit(ModelDevice device, int[] text) {
        int[] other = Arrays.stream(text).map(id -> id ^ 1).toArray();
        try (ModelSession visitor = device.open(other.length)) {
            visitor.append(other, 0, other.length);
            finish(visitor, device);
        }
    }

    private static float[] row(CpuActivation all, int row) {
        return Arrays.copyOfRange(all.data(), all.at(row), all.at(row) + all.width());
    }

    @Test
    void theDemoModelFindsItsNumberOnTheHost() throws IOException {
        try (ModelAndText text = ModelAndText.demo(1398)) {
            for (KvDtype dtype : KvDtype.values()) {
                CacheFormat format = CacheFormat.of(dtype);
                CacheCounters counters = assertParity(text, format, smallest(text, format, 256), 512);
                assertThat(counters.hostRowsRead()).isPositive();
                assertThat(counters.spilledPages()).isPositive();
            }
        }
    }
}
