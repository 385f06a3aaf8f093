package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.ResidencyState;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.SafetensorsFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A prefill that one engine wrote and another took in says what it says where it was computed, in the bits, wherever it
 * lands; and only the last token of its prompt is computed.
 */
class PrefillParityTest {
    private static final CacheFormat FP8 = CacheFormat.of(KvDtype.FP8);
    private static final int MOST = 800;
    /** Tokens that are decoded after a prompt. */
    private static final int MORE = 3;
    /** Of six whole pages and a part. */
    private static final int LONG = 420;
    /** Null, index keys, a hot region, the last two pages and the next. */
    private static final int SMALLEST = 1 + 1 + 1 + 3;

    private static final ModelAndText TEXT = ModelAndText.random("glm-tiny/tiny-bf16", MOST);

    @TempDir
    private Path folder;

    @AfterAll
    static void close() {
        TEXT.close();
    }

    private static CacheConfig cache(KvPolicy policy, int blocks) {
        return new CacheConfig(policy, blocks, 64, policy.usesHost() ? 20 : 0, MOST, 3, CacheConfig.NONE);
    }

    private static ModelDevice device(CacheFormat format, CacheConfig cache, Workers workers) {
        return TEXT.device(format, cache, workers, 100, WalkProbe.NONE);
    }

    private static int[] prompt(int length) {
        return Arrays.copyOf(TEXT.text(), length);
    }

    private static int compute(ModelSession session) {
        int rows = 0;
        while (session.pending() > 0) {
            rows = session.step(100);
        }
        return rows;
    }

    private static float[] last(ModelSession session, int rows) {
        CpuActivation all = session.logits();
        return Arrays.copyOfRange(all.data(), all.at(rows - 1), all.at(rows - 1) + all.width());
    }

    /** Writes what a device with this cache computes of a prompt. */
    private Path export(CacheFormat format, CacheConfig cache, int[] prompt, Optional<Import> from, String name) {
        Path file = folder.resolve(name);
        try (Workers workers = new Workers(1);
                ModelDevice device = device(format, cache, workers);
                ModelSession session = device.open(MOST, from)) {
            session.append(prompt, 0, prompt.length);
            compute(session);
            new PrefillWriter(new PrefillLayout(TEXT.model(), format), device.cache(), session.residency())
                    .write(file, prompt);
        }
        return file;
    }

    private Path export(CacheFormat format, int length) {
        return export(format, cache(KvPolicy.RESIDENT, 40), prompt(length), Optional.empty(), length + "." + format);
    }

    /** The logits after a prompt and after each of some more tokens. */
    private static List<float[]> logits(ModelSession session, int[] prompt) {
        List<float[]> logits = new ArrayList<>();
        session.append(prompt, 0, prompt.length);
        logits.add(last(session, compute(session)));
        for (int i = 0; i < MORE; i++) {
            session.append(new int[] {7 + i}, 0, 1);
            logits.add(last(session, compute(session)));
        }
        return logits;
    }

    private static List<float[]> computed(CacheFormat format, int[] prompt) {
        try (Workers workers = new Workers(1);
                ModelDevice device = device(format, cache(KvPolicy.RESIDENT, 40), workers);
                ModelSession session = device.open(MOST)) {
            return logits(session, prompt);
        }
    }

    private static void assertSame(List<float[]> logits, List<float[]> expected) {
        assertThat(logits).hasSameSizeAs(expected);
        for (int i = 0; i < logits.size(); i++) {
            assertThat(logits.get(i)).as("logits %d", i).isEqualTo(expected.get(i));
        }
    }

    /** vllm#57049: whole pages or not, one token is computed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 127, 128, 129, 200, LONG})
    void onlyTheLastTokenIsComputedAndAllBitsAreTheSame(int length) {
        for (KvDtype dtype : KvDtype.values()) {
            CacheFormat format = CacheFormat.of(dtype);
            int[] prompt = prompt(length);
            List<float[]> expected = computed(format, prompt);
            try (PrefillFile file = PrefillFile.open(export(format, length), TEXT.model(), format)) {
                assertThat(file.tokens()).isEqualTo(prompt);
                for (KvPolicy policy : KvPolicy.values()) {
                    try (Workers workers = new Workers(1);
                            ModelDevice device = device(format, cache(policy, 40), workers);
                            ModelSession session = device.open(MOST, Optional.of(file.of(prompt)))) {
                        assertSame(logits(session, prompt), expected);
                        assertThat(session.cached()).isEqualTo(length - 1);
                        assertThat(session.residency().state()).isEqualTo(ResidencyState.FULL);
                        assertThat(device.counters().bytesImported()).isEqualTo((length - 1) * tokenBytes(device));
                        device.cache().allocator().check();
                    }
                }
            }
        }
    }

    private static long tokenBytes(ModelDevice device) {
        return device.cache().geometry().hostPageBytes() / Block.TOKENS;
    }

    /** vllm#55398: on the host, where the pool is too small for all of it: rows are read from there, and counted. */
    @ParameterizedTest
    @EnumSource(KvDtype.class)
    void landsOnTheHostOfASmallPool(KvDtype dtype) {
        CacheFormat format = CacheFormat.of(dtype);
        int[] prompt = prompt(LONG);
        List<float[]> expected = computed(format, prompt);
        try (PrefillFile file = PrefillFile.open(export(format, LONG), TEXT.model(), format);
                Workers workers = new Workers(1);
                ModelDevice device = device(format, cache(KvPolicy.HYBRID, SMALLEST), workers);
                ModelSession session = device.open(LONG + MORE, Optional.of(file.of(prompt)))) {
            assertSame(logits(session, prompt), expected);
            assertThat(session.cached()).isEqualTo(LONG - 1);
            assertThat(session.residency().state()).isEqualTo(ResidencyState.HOST_ONLY_PREFIX);
            assertThat(device.counters().hostRowsRead()).isPositive();
            // What came to the host is not copied there again.
            assertThat(device.counters().bytesWrittenBack()).isZero();
            device.cache().allocator().check();
        }
    }

    /** Damaged host rows of an import are seen where it landed on the host, and nowhere else. */
    @Test
    void theHostsRowsAreReadExactlyWhereItLandedThere() {
        int[] prompt = prompt(LONG);
        List<float[]> expected = computed(FP8, prompt);
        try (PrefillFile file = PrefillFile.open(export(FP8, LONG), TEXT.model(), FP8)) {
            for (int blocks : new int[] {SMALLEST, 40}) {
                int changed = 0;
                for (int fault = 0; fault < 5 * Block.TOKENS; fault += 16) {
                    CacheConfig cache = new CacheConfig(KvPolicy.HYBRID, blocks, 64, 20, MOST, 1, fault);
                    try (Workers workers = new Workers(1);
                            ModelDevice device = device(FP8, cache, workers);
                            ModelSession session = device.open(LONG + MORE, Optional.of(file.of(prompt)))) {
                        List<float[]> logits = logits(session, prompt);
                        changed += Arrays.equals(logits.getLast(), expected.getLast()) ? 0 : 1;
                    }
                }
                assertThat(changed > 0).as("%d blocks", blocks).isEqualTo(blocks == SMALLEST);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void refusesWhatCouldNeverLand(KvPolicy policy) {
        int[] prompt = prompt(LONG);
        int needed = policy.losesPages() ? SMALLEST : 1 + 1 + Block.pages(LONG);
        try (PrefillFile file = PrefillFile.open(export(FP8, LONG), TEXT.model(), FP8);
                Workers workers = new Workers(1);
                ModelDevice device = device(FP8, cache(policy, needed - 1), workers);
                ModelSession session = device.open(LONG, Optional.of(file.of(prompt)))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> session.append(prompt, 0, LONG))
                    .withMessageContaining("needs a pool of " + needed + " blocks");
        }
    }

    /** vllm#51323: no, a partial and a full local hit; what is local isn't imported again. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3, 6})
    void localPagesComeFirst(int hitPages) {
        int[] prompt = prompt(LONG);
        List<float[]> expected = computed(FP8, prompt);
        try (PrefillFile file = PrefillFile.open(export(FP8, LONG), TEXT.model(), FP8)) {
            for (int blocks : new int[] {SMALLEST, 40}) {
                try (Workers workers = new Workers(1);
                        ModelDevice device = device(FP8, cache(KvPolicy.HYBRID, blocks), workers)) {
                    try (ModelSession before = device.open(LONG)) {
                        before.append(prompt, 0, hitPages * Block.TOKENS + 1);
                        compute(before);
                    }
                    try (ModelSession session = device.open(LONG + MORE + 1, Optional.of(file.of(prompt)))) {
                        assertSame(logits(session, prompt), expected);
                        assertThat(session.cached()).isEqualTo(LONG - 1);
                        assertThat(device.counters().bytesImported())
                                .isEqualTo((LONG - 1 - hitPages * Block.TOKENS) * tokenBytes(device));
                        // It makes room, and comes back with the same rows.
                        session.preempt();
                        session.append(new int[] {9}, 0, 1);
                        compute(session);
                        assertThat(session.cached()).isEqualTo(LONG);
                        device.cache().allocator().check();
                    }
                }
            }
        }
    }

    /** Of a prompt that goes on otherwise, or ends before, or is longer, what both begin with is taken. */
    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 100, 128, 199})
    void theCommonPrefixIsTaken(int shared) {
        int[] other = prompt(200);
        other[shared] ^= 1;
        int[] shorter = prompt(shared);
        int[] longer = prompt(300);
        try (PrefillFile file = PrefillFile.open(export(FP8, 200), TEXT.model(), FP8)) {
            List<int[]> prompts = List.of(other, shorter, longer);
            int[] taken = {shared, shared - 1, 200};
            for (int i = 0; i < taken.length; i++) {
                int[] prompt = prompts.get(i);
                try (Workers workers = new Workers(1);
                        ModelDevice device = device(FP8, cache(KvPolicy.HYBRID, 40), workers);
                        ModelSession session = device.open(MOST, Optional.of(file.of(prompt)))) {
                    assertSame(logits(session, prompt), computed(FP8, prompt));
                    assertThat(session.cached()).isEqualTo(taken[i]);
                }
            }
        }
    }

    /** Many imports in a pool for one or two: they wait, make room and come back, and say what they say alone. */
    @ParameterizedTest
    @EnumSource(KvPolicy.class)
    void manyImportsShareAPool(KvPolicy policy) {
        int[] lengths = {LONG, 130, 64, 300, LONG, 65, 200, 385};
        int newTokens = 70;
        int longest = LONG + newTokens;
        int blocks = CacheConfig.residentBlocks(TEXT.config(), FP8, longest);
        CacheConfig cache = new CacheConfig(policy, blocks, 64, policy.usesHost() ? 40 : 0, longest, 5, -1);
        try (PrefillFile file = PrefillFile.open(export(FP8, LONG), TEXT.model(), FP8);
                Crowd alone = new Crowd(TEXT, FP8, CacheConfig.resident(TEXT.config(), FP8, longest), 100);
                Crowd crowd = new Crowd(TEXT, FP8, cache, 100)) {
            for (int length : lengths) {
                alone.submit(prompt(length), newTokens);
                crowd.submit(prompt(length), newTokens, Optional.of(file.of(prompt(length))));
            }
            List<Crowd.Member> expected = alone.finish();
            List<Crowd.Member> members = crowd.finish();
            for (int i = 0; i < lengths.length; i++) {
                members.get(i).assertEqualTo(expected.get(i));
                assertThat(members.get(i).sequence().cached()).isEqualTo(lengths[i] - 1);
            }
            assertThat(crowd.peakRunning()).isGreaterThan(1);
            assertThat(crowd.device().counters().bytesImported()).isPositive();
        }
    }

    /** Where rows are, and how they came there, doesn't show in the file, not in a byte. */
    @ParameterizedTest
    @EnumSource(KvDtype.class)
    void everyEngineWritesTheSameFile(KvDtype dtype) throws IOException {
        CacheFormat format = CacheFormat.of(dtype);
        int[] prompt = prompt(LONG);
        Path resident = export(format, LONG);
        assertZerosBehindTheLastToken(resident, format);
        for (KvPolicy policy : KvPolicy.values()) {
            Path file = export(format, cache(policy, 40), prompt, Optional.empty(), "again");
            assertThat(Files.mismatch(file, resident)).isEqualTo(-1);
        }
        try (PrefillFile file = PrefillFile.open(resident, TEXT.model(), format)) {
            CacheConfig small = new CacheConfig(KvPolicy.HYBRID, SMALLEST + 2, 64, 20, MOST, 1, CacheConfig.NONE);
            for (Optional<Import> from : List.of(Optional.<Import>empty(), Optional.of(file.of(prompt)))) {
                assertThat(Files.mismatch(export(format, small, prompt, from, "again"), resident))
                        .isEqualTo(-1);
            }
        }
    }

    private static void assertZerosBehindTheLastToken(Path file, CacheFormat format) {
        IndexFormat keys = format.keyFormat(TEXT.config());
        try (SafetensorsFile tensors = SafetensorsFile.open(file)) {
            MemorySegment pages =
                    Objects.requireNonNull(tensors.tensors().get("keys.0")).data();
            long page = (long) (LONG / Block.TOKENS) * keys.pageBytes();
            long from = page + (long) (LONG % Block.TOKENS) * keys.valueBytes();
            long end = page + (long) Block.TOKENS * keys.valueBytes();
            assertThat(pages.asSlice(from, end - from).toArray(ValueLayout.JAVA_BYTE))
                    .containsOnly(0);
        }
    }
}
