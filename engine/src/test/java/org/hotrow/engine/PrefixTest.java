package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests that begin alike share what is on the host; each still says what it says alone, in the bits. */
class PrefixTest {
    private static final int TAIL = 70;
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final ModelAndText TEXT = ModelAndText.random("glm-tiny/tiny-bf16", 800);
    private static final int INDEX_TOKENS =
            CacheConfig.geometry(TEXT.config(), FORMAT, 2).indexTokensPerBlock();

    @AfterAll
    static void close() {
        TEXT.close();
    }

    /** The first tokens of the text, then others that depend on {@code seed}. */
    private static int[] text(int prefix, int seed) {
        int vocab = TEXT.config().vocabSize();
        return IntStream.range(0, prefix + TAIL)
                .map(i -> i < prefix ? TEXT.text()[i] : (i * 31 + seed * 101) % vocab)
                .toArray();
    }

    private static ModelDevice device(KvPolicy policy, int blocks, int hostPages, Workers workers) {
        CacheConfig cache = new CacheConfig(policy, blocks, 64, hostPages, 800, 3, CacheConfig.NONE);
        return TEXT.device(FORMAT, cache, workers, 256, WalkProbe.NONE);
    }

    /** The last logits after every token of the tail, alone and resident. */
    private static List<float[]> alone(int[] text) {
        List<float[]> logits = new ArrayList<>();
        try (Workers workers = new Workers(1);
                ModelDevice device = device(KvPolicy.RESIDENT, 40, 0, workers);
                ModelSession session = device.open(text.length)) {
            session.append(text, 0, text.length - TAIL + 1);
            for (int i = text.length - TAIL + 1; i <= text.length; i++) {
                logits.add(next(session));
                if (i < text.length) {
                    session.append(text, i, 1);
                }
            }
        }
        return logits;
    }

    private static float[] next(ModelSession session) {
        int rows = 0;
        while (session.pending() > 0) {
            rows = session.step(256);
        }
        CpuActivation all = session.logits();
        return Arrays.copyOfRange(all.data(), all.at(rows - 1), all.at(rows - 1) + all.width());
    }

    static List<Integer> prefixes() {
        assertThat(INDEX_TOKENS).isEqualTo(576);
        return List.of(1, 63, 64, 65, 127, 128, 255, 256, 257, INDEX_TOKENS - 1, INDEX_TOKENS, INDEX_TOKENS + 1);
    }

    @ParameterizedTest
    @MethodSource("prefixes")
    void twoLiveRequestsShareAPrefixAndDiverge(int prefix) {
        int[] first = text(prefix, 1);
        int[] second = text(prefix, 2);
        List<float[]> firstAlone = alone(first);
        List<float[]> secondAlone = alone(second);
        for (int blocks : new int[] {40, 16}) {
            try (Workers workers = new Workers(1);
                    ModelDevice device = device(KvPolicy.HYBRID, blocks, 40, workers);
                    ModelSession one = device.open(800);
                    ModelSession two = device.open(800)) {
                one.append(first, 0, prefix + 1);
                assertThat(next(one)).isEqualTo(firstAlone.getFirst());
                two.append(second, 0, prefix + 1);
                assertThat(next(two)).isEqualTo(secondAlone.getFirst());
                assertThat(two.cached()).isEqualTo(prefix / Block.TOKENS * Block.TOKENS);
                for (int i = 1; i < TAIL; i++) {
                    one.append(first, prefix + i, 1);
                    assertThat(next(one)).as("token %d of the first", i).isEqualTo(firstAlone.get(i));
                    two.append(second, prefix + i, 1);
                    assertThat(next(two)).as("token %d of the second", i).isEqualTo(secondAlone.get(i));
                    device.cache().allocator().check();
                }
            }
        }
    }

    /** The next turn of a session whose blocks others have used: its rows stay on the host, its keys come back. */
    @ParameterizedTest
    @MethodSource("prefixes")
    void theNextTurnStartsFromTheHost(int prefix) {
        int[] turn = text(prefix, 1);
        List<float[]> alone = alone(turn);
        for (KvPolicy policy : new KvPolicy[] {KvPolicy.HYBRID, KvPolicy.OFFLOAD}) {
            int blocks = CacheConfig.residentBlocks(TEXT.config(), FORMAT, 800);
            try (Workers workers = new Workers(1);
                    ModelDevice device = device(policy, blocks, 40, workers)) {
                try (ModelSession session = device.open(800)) {
                    session.append(turn, 0, prefix + 1);
                    next(session);
                }
                try (ModelSession other = device.open(800)) {
                    other.append(Arrays.stream(TEXT.text()).map(id -> id ^ 1).toArray(), 0, 800);
                    next(other);
                }
                long before = device.counters().bytesRestored();
                try (ModelSession session = device.open(800)) {
                    session.append(turn, 0, prefix + 1);
                    assertThat(next(session)).isEqualTo(alone.getFirst());
                    assertThat(session.cached()).isEqualTo(prefix / Block.TOKENS * Block.TOKENS);
                }
                assertThat(device.counters().bytesRestored() > before).isEqualTo(prefix >= Block.TOKENS);
            }
        }
    }

    /** Another request keeps the rows of a finished session; only its index block goes to somebody else. */
    @Test
    void aTurnWhoseIndexBlockIsGoneKeepsTheWholeHit() {
        int prefix = 256;
        int[] turn = text(prefix, 1);
        List<float[]> alone = alone(turn);
        // What the keeper has, and just what the taker takes: 13 pages and 2 index blocks.
        int blocks = 1 + (5 + 1) + (13 + 2);
        try (Workers workers = new Workers(1);
                ModelDevice device = device(KvPolicy.HYBRID, blocks, 40, workers);
                ModelSession keeper = device.open(prefix + 1)) {
            try (ModelSession session = device.open(800)) {
                session.append(turn, 0, prefix + 1);
                next(session);
                keeper.append(turn, 0, prefix + 1);
                next(keeper);
                assertThat(keeper.cached()).isEqualTo(prefix);
            }
            try (ModelSession taker = device.open(800)) {
                taker.append(Arrays.stream(TEXT.text()).map(id -> id ^ 1).toArray(), 0, 800);
                next(taker);
            }
            assertThat(device.counters().bytesRestored()).isZero();
            try (ModelSession session = device.open(800)) {
                session.append(turn, 0, prefix + 1);
                assertThat(next(session)).isEqualTo(alone.getFirst());
                assertThat(session.cached()).isEqualTo(prefix);
            }
            int anchors = TEXT.config().indexer().anchors().size();
            assertThat(device.counters().bytesRestored())
                    .isEqualTo(4L * anchors * device.cache().geometry().indexPageBytes());
        }
    }

    /** Pages that the host had no room for are computed again, whatever comes after them. */
    @Test
    void aMissingHostPageShortensTheHit() {
        int[] turn = text(576, 1);
        List<float[]> alone = alone(turn);
        int shortened = 0;
        for (int hostPages = 1; hostPages <= 10; hostPages++) {
            try (Workers workers = new Workers(1);
                    ModelDevice device = device(KvPolicy.HYBRID, 40, hostPages, workers)) {
                for (int time = 0; time < 2; time++) {
                    try (ModelSession session = device.open(800)) {
                        session.append(turn, 0, 577);
                        assertThat(next(session)).isEqualTo(alone.getFirst());
                        int most = Math.min(hostPages, 9) * Block.TOKENS;
                        assertThat(session.cached()).isEqualTo(time == 0 ? 0 : most);
                        shortened += time == 1 && most < 576 ? 1 : 0;
                    }
                }
            }
        }
        assertThat(shortened).isEqualTo(8);
    }
}
