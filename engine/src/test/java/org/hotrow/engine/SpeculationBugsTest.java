package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayOutputStream;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.HostPageId;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.Residency;
import org.hotrow.allocator.Step;
import org.hotrow.allocator.StepPlan;
import org.hotrow.engine.Crowd.Member;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.AttentionConfig;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What of other engines' bugs is about copies to the host and guesses, as tests of ours; that about the guesses themselves
 * is in {@link ForcedGuessesTest}.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SpeculationBugsTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final int DRAFTS = CacheOptions.MOST_DRAFTS;

    private ModelAndText model;
    private Member alone;

    @BeforeAll
    void open() {
        model = ModelAndText.random("glm-tiny/tiny-bf16", 150);
        alone = GuessedServer.alone(model, FORMAT, 330, List.of(model.text()), 180)
                .getFirst();
    }

    @AfterAll
    void close() {
        model.close();
    }

    private GuessedServer server(CacheConfig cache, ForcedGuesses.Rule rule) {
        return new GuessedServer(model, FORMAT, cache, 256, rule, WalkProbe.NONE);
    }

    /** Rows and keys of a page on the host: of the first layers, and of the anchors among them. */
    private static byte[] bytes(KvCache cache, HostPageId page, int layers) {
        HostPool host = cache.host().orElseThrow();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int layer = 0; layer < layers; layer++) {
            bytes.writeBytes(host.rows(page, layer).toArray(ValueLayout.JAVA_BYTE));
            if (cache.geometry().anchorLayers().contains(layer)) {
                bytes.writeBytes(host.keys(page, layer).toArray(ValueLayout.JAVA_BYTE));
            }
        }
        return bytes.toByteArray();
    }

    /** The device has settled rows of a page now, if it still has the page. */
    private static void assertCopies(KvCache cache, HostPageId page, int block, int layers) {
        for (int layer = 0; block != 0 && layer < layers; layer++) {
            assertThat(cache.host().orElseThrow().rows(page, layer).mismatch(cache.rows(layer, block)))
                    .isEqualTo(-1);
        }
    }

    /** What the pages of a request hold on the host when their copies come to be known: with rows that are settled. */
    private List<byte[]> copies(GuessedServer server, int layers) {
        Sequence sequence = server.submit(alone).sequence();
        KvCache cache = server.crowd.device().cache();
        List<byte[]> copies = new ArrayList<>();
        int sealed = 0;
        while (server.crowd.step()) {
            if (sequence.ended()) {
                break;
            }
            Residency residency = sequence.request().residency().orElseThrow();
            int[] hostPages = new int[residency.pages()];
            residency.copyHostPages(hostPages, 0);
            int[] blocks = new int[residency.pages()];
            residency.copyBlocks(blocks, 0);
            while (copies.size() < hostPages.length && hostPages[copies.size()] != 0) {
                assertThat((1 + copies.size()) * Block.TOKENS)
                        .isLessThanOrEqualTo(sequence.request().length());
                HostPageId page = new HostPageId(hostPages[copies.size()]);
                assertCopies(cache, page, blocks[copies.size()], layers);
                copies.add(bytes(cache, page, layers));
            }
            sealed = sequence.request().length() / Block.TOKENS;
        }
        assertThat(copies.size())
                .as("all whole pages but one that is under way")
                .isBetween(sealed - 1, sealed);
        assertThat(server.crowd.device().counters().bytesWrittenBack())
                .as("each page once")
                .isBetween(
                        copies.size() * cache.geometry().hostPageBytes(),
                        sealed * cache.geometry().hostPageBytes());
        server.crowd.finish();
        return copies;
    }

    /**
     * vllm's unit tests: rows of guesses were copied to the host too early, or pages were left out. Whatever is right and
     * wrong in the rounds that a page is filled by, its copy has the rows and keys of the tokens that stayed: in the main
     * layers those of a request without guesses, in the MTP layer always the same.
     */
    @ParameterizedTest
    @EnumSource(names = {"HYBRID", "OFFLOAD"})
    void copiesOnTheHostAreOfTokensThatStayed(KvPolicy policy) {
        int layers = model.config().layers();
        List<byte[]> without;
        CacheConfig cache = new CacheConfig(policy, 14, 64, 20, 330, 1, CacheConfig.NONE, DRAFTS);
        try (GuessedServer server = server(cache.withDrafts(0), (request, place) -> true)) {
            without = copies(server, layers);
        }
        List<byte[]> first = List.of();
        for (int wrong = 0; wrong <= DRAFTS; wrong++) {
            int place = wrong;
            ForcedGuesses.Rule rule = (request, guess) -> guess != place;
            try (GuessedServer server = server(cache, rule)) {
                List<byte[]> copies = copies(server, layers + 1);
                first = wrong == 0 ? copies : first;
                assertThat(copies).hasSizeBetween(4, 5);
                for (int page = 0; page < Math.min(copies.size(), first.size()); page++) {
                    assertThat(copies.get(page)).isEqualTo(first.get(page));
                    assertThat(Arrays.copyOf(copies.get(page), without.get(page).length))
                            .isEqualTo(without.get(page));
                }
            }
        }
    }

    /** vllm's unit tests: a step without rows has copies to make all the same. */
    @Test
    void aStepWithoutRowsCopies() {
        CacheConfig cache = new CacheConfig(KvPolicy.HYBRID, 14, 64, 20, 330, 1, CacheConfig.NONE, DRAFTS);
        int[] text = GuessedServer.text(alone);
        try (Workers workers = new Workers(1);
                ModelDevice device = model.device(FORMAT, cache, workers, 64);
                ModelSession session = device.open(330)) {
            // The last of the page has no step of its own, so nobody has planned the page's copy.
            session.step(text, 0, 63);
            session.step(text, 63, 1);
            Allocator allocator = device.cache().allocator();
            Step step = allocator.commit((StepPlan) allocator.plan(List.of()));
            Batch batch = new Batch(1);
            batch.start(step);
            device.run(batch);
            device.complete(batch);
            allocator.finish(step);
            allocator.drain();
            int[] hostPages = new int[1];
            session.residency().copyHostPages(hostPages, 0);
            assertThat(hostPages[0]).isPositive();
            int[] blocks = new int[1];
            session.residency().copyBlocks(blocks, 0);
            assertThat(blocks[0]).isPositive();
            assertCopies(
                    device.cache(),
                    new HostPageId(hostPages[0]),
                    blocks[0],
                    model.config().layers());
        }
    }

    /**
     * The last row of a page in the MTP layer depends on the token behind the page, which the page's hash doesn't cover:
     * what a prefix hit brings is what the request would have computed.
     */
    @Test
    void aHitBringsTheRowsOfTheDrafterThatTheRequestWouldHave() {
        CacheConfig cache = new CacheConfig(KvPolicy.HYBRID, 14, 64, 20, 330, 2, CacheConfig.NONE, 1);
        int[] text = Arrays.copyOf(model.text(), 140);
        int[] other = text.clone();
        other[128]++;
        try (Workers workers = new Workers(1);
                ModelDevice computed = model.device(FORMAT, cache, workers, 64);
                ModelDevice found = model.device(FORMAT, cache, workers, 64)) {
            try (ModelSession first = found.open(330)) {
                compute(first, other);
            }
            try (ModelSession alone = computed.open(330);
                    ModelSession hit = found.open(330)) {
                compute(alone, text);
                compute(hit, text);
                assertThat(hit.cached()).isEqualTo(64);
                assertDrafterRows(hit, alone, text.length - 1);
            }
        }
    }

    /** An import neither brings the row in the MTP layer whose next token is another one here. */
    @ParameterizedTest
    @CsvSource({"140, 140, 139", "140, 100, 99", "100, 140, 99", "129, 129, 128", "1, 2, 0"})
    void anImportBringsTheRowsOfTheDrafterThatTheRequestWouldHave(
            int exported, int shared, int cached, @TempDir Path folder) {
        CacheConfig cache = new CacheConfig(KvPolicy.HYBRID, 14, 64, 20, 330, 2, CacheConfig.NONE, 1);
        int[] text = Arrays.copyOf(model.text(), 140);
        int[] other = Arrays.copyOf(text, exported);
        if (shared < exported) {
            other[shared]++;
        }
        Path file = folder.resolve("prefill");
        PrefillLayout layout = new PrefillLayout(model.model(), FORMAT, true);
        try (Workers workers = new Workers(1);
                ModelDevice computed = model.device(FORMAT, cache, workers, 64);
                ModelDevice found = model.device(FORMAT, cache, workers, 64)) {
            try (ModelSession first = computed.open(330)) {
                compute(first, other);
                new PrefillWriter(layout, computed.cache(), first.residency()).write(file, other);
            }
            try (PrefillFile prefill = PrefillFile.open(file, model.model(), FORMAT, true);
                    ModelDevice third = model.device(FORMAT, cache, workers, 64);
                    ModelSession alone = third.open(330);
                    ModelSession imported = found.open(330, Optional.of(prefill.of(text)))) {
                compute(alone, text);
                compute(imported, text);
                assertThat(imported.cached()).isEqualTo(cached);
                assertDrafterRows(imported, alone, text.length - 1);
            }
        }
    }

    @Test
    void aCacheWithDraftsTakesNoImportWithoutTheirRows(@TempDir Path folder) {
        Path file = folder.resolve("prefill");
        int[] text = Arrays.copyOf(model.text(), 70);
        for (int drafts : new int[] {0, 2}) {
            CacheOptions options = CacheOptions.of(KvPolicy.HYBRID).withDrafts(drafts);
            try (Generator generator =
                    new Generator(model.model(), FORMAT, options, 100, 1, Lanes.vector(), 1, 64, LoadProgress.NONE)) {
                assertThat(generator.export(text, file, () -> false)).isTrue();
                Optional<Import> good;
                try (PrefillFile opened = PrefillFile.open(file, model.model(), FORMAT, drafts > 0)) {
                    good = Optional.of(opened.of(text));
                    assertThat(generator
                                    .generate(text, good, 5, Sampling.GREEDY, true, id -> true, () -> false)
                                    .outputIds())
                            .hasSize(5);
                    generator.use(options.withDrafts(0));
                    if (drafts > 0) {
                        assertThatExceptionOfType(RequestException.class)
                                .isThrownBy(() -> generator.submit(text, good, 5, Sampling.GREEDY, true, id -> true))
                                .withMessageContaining(file + ": geometry: was opened for a cache with rows")
                                .withMessageContaining("--speculative-tokens");
                    }
                }
            }
        }
    }

    /** In the bits. */
    private void assertDrafterRows(ModelSession one, ModelSession other, int positions) {
        AttentionConfig attention = model.config().attention();
        float[] expected = new float[attention.latentRank() + attention.ropeDim()];
        float[] row = expected.clone();
        for (int position = 0; position < positions; position++) {
            other.readRow(model.config().layers(), position, expected);
            one.readRow(model.config().layers(), position, row);
            assertThat(row).as("position %d", position).isEqualTo(expected);
        }
    }

    private static void compute(ModelSession session, int[] text) {
        session.append(text, 0, text.length);
        while (session.pending() > 0) {
            session.step(64);
        }
    }
}
