package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Guesses on devices of task graphs, and on the CPU beside them: the MTP layer equals its reference, the text is that without
 * guesses, and what was counted is what the CPU counts.
 */
class GraphDraftsTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    /** Of the largest step: a token and all its guesses. */
    private static final int ROWS = 1 + CacheOptions.MOST_DRAFTS;

    private static final CacheFormat FP32 = CacheFormat.of(KvDtype.FP32);
    private static final Model MODEL = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
    private static final Map<TestDevice, Devices> DEVICES = new EnumMap<>(TestDevice.class);

    @AfterAll
    static void close() {
        DEVICES.values().forEach(Devices::close);
        MODEL.close();
    }

    private static List<TestDevice> devices() {
        return TestDevice.here().stream().filter(TestDevice::asForUsers).toList();
    }

    private static Devices of(TestDevice which, CacheFormat format) {
        return which == TestDevice.CPU
                ? new CpuDevices(MODEL, format, Lanes.vector(), 1, true, LoadProgress.NONE)
                : which.of(MODEL, format);
    }

    /** The MTP layer over a prompt: each position with the token behind it, in steps that are computed in parts. */
    @ParameterizedTest
    @MethodSource("devices")
    void theMtpLayerEqualsTheReference(TestDevice which) {
        Golden golden = new Golden("glm-tiny/golden_mtp_fp8.safetensors", "");
        int[] next = golden.ints("input_ids");
        int[] text = new int[next.length + 1];
        text[0] = new Golden("glm-tiny/golden_fp8.safetensors", "sparse.").ints("input_ids")[0];
        System.arraycopy(next, 0, text, 1, next.length);
        int chunk = 48;
        List<float[]> hidden = new ArrayList<>();
        List<float[]> logits = new ArrayList<>();
        CacheConfig cache = new CacheConfig(KvPolicy.RESIDENT, 8, 192, 0, text.length, 1, CacheConfig.NONE, 1);
        try (Devices devices = of(which, FP32);
                ModelDevice device = devices.device(cache, chunk, true);
                ModelSession session = device.open(text.length)) {
            device.cache().poison();
            session.append(text, 0, text.length);
            for (int at = 0; at < next.length; at += chunk) {
                int rows = Math.min(chunk, next.length - at);
                session.step(rows);
                keep(device.finalNorm(), rows, hidden);
                keep(session.logits(), rows, logits);
            }
        }
        close("hidden_out", hidden, golden.floats("hidden_out"), 2e-4);
        close("logits", logits, golden.floats("logits"), 5e-4);
    }

    private static void keep(CpuActivation rows, int count, List<float[]> kept) {
        for (int t = 0; t < count; t++) {
            kept.add(Arrays.copyOfRange(rows.data(), rows.at(t), rows.at(t) + rows.width()));
        }
    }

    private static void close(String name, List<float[]> rows, float[] golden, double tolerance) {
        int width = rows.getFirst().length;
        assertThat(golden).hasSize(rows.size() * width);
        for (int i = 0; i < golden.length; i++) {
            assertThat((double) rows.get(i / width)[i % width])
                    .as("%s[%d][%d]", name, i / width, i % width)
                    .isBetween(golden[i] - tolerance, golden[i] + tolerance);
        }
    }

    /** What came of a request on a device: its text, the drafter's guesses, and what was counted. */
    private record Outcome(
            List<Integer> text, List<Integer> guesses, SpeculationCounters speculation, CacheCounters cache) {}

    /** A device whose drafter's guesses are kept and replaced by others: all right, then the last wrong, then the one before. */
    private record Planned(ModelDevice device, List<Integer> text, List<Integer> guesses, AtomicInteger rounds)
            implements StepDevice {
        @Override
        public void run(Batch batch) {
            device.run(batch);
        }

        @Override
        public void complete(Batch batch) {
            device.complete(batch);
            for (int i = 0; i < batch.size(); i++) {
                Drafts drafts = batch.drafts(i);
                int count = drafts.count();
                int known = batch.part(i).request().known();
                for (int place = 0; place < count; place++) {
                    guesses.add(drafts.token(place));
                }
                drafts.clear();
                int wrong = count == 0 ? 0 : count - rounds.getAndIncrement() % (count + 1);
                for (int place = 0; place < count; place++) {
                    int right = text.isEmpty() ? 0 : text.get(known + place);
                    drafts.add(place == wrong ? (right + 1) % MODEL.config().vocabSize() : right);
                }
            }
        }

        @Override
        public int dropped(int entry) {
            return device.dropped(entry);
        }

        @Override
        public float[] logits() {
            return device.logits();
        }

        @Override
        public int logitsAt(int i) {
            return device.logitsAt(i);
        }
    }

    /** @param text that is guessed */
    private static Outcome run(
            TestDevice which, CacheConfig cache, int[] prompt, Optional<Import> imported, List<Integer> text) {
        Devices devices = DEVICES.computeIfAbsent(which, key -> of(key, FORMAT));
        try (ModelDevice device = devices.device(cache, ROWS, false)) {
            device.cache().poison();
            Planned planned = new Planned(device, text, new ArrayList<>(), new AtomicInteger());
            Scheduler scheduler = new Scheduler(
                    device.cache().allocator(), planned, cache.seats(), ROWS, cache.drafts(), System::nanoTime);
            int vocab = MODEL.config().vocabSize();
            Sequence sequence = new Sequence(
                    prompt,
                    cache.maxTokens(),
                    id -> false,
                    (logits, from) -> largest(logits, from, vocab),
                    id -> true,
                    imported);
            scheduler.submit(sequence);
            while (!sequence.ended()) {
                scheduler.step();
                device.cache().allocator().check();
            }
            assertThat(sequence.failure()).isEmpty();
            IntStream all = IntStream.concat(Arrays.stream(prompt), Arrays.stream(sequence.output()));
            return new Outcome(
                    all.boxed().toList(), planned.guesses, device.counters(scheduler.speculation()), device.counters());
        }
    }

    private static int largest(float[] logits, int from, int count) {
        int best = from;
        for (int i = from; i < from + count; i++) {
            best = logits[i] > logits[best] ? i : best;
        }
        return best - from;
    }

    private static int[] prompt(int length) {
        return new Random(length).ints(length, 0, MODEL.config().vocabSize()).toArray();
    }

    private static List<TestDevice> graphs() {
        return TestDevice.graphs().stream().filter(TestDevice::asForUsers).toList();
    }

    @ParameterizedTest
    @MethodSource("graphs")
    void anyNumberOfGuessesLeavesTheText(TestDevice which) {
        int[] prompt = prompt(ROWS);
        CacheConfig cache = new CacheConfig(KvPolicy.RESIDENT, 4, 128, 0, ROWS + 10, 1, CacheConfig.NONE);
        List<Integer> text = run(which, cache, prompt, Optional.empty(), List.of()).text;
        for (int drafts : new int[] {1, CacheOptions.MOST_DRAFTS}) {
            Outcome outcome = run(which, cache.withDrafts(drafts), prompt, Optional.empty(), text);
            assertThat(outcome.text).as("%d guesses", drafts).isEqualTo(text);
            assertThat(outcome.speculation.acceptedByPosition()).allMatch(accepted -> accepted > 0);
            assertThat(outcome)
                    .isEqualTo(run(TestDevice.CPU, cache.withDrafts(drafts), prompt, Optional.empty(), text));
        }
    }

    /** The first pages of a prompt as the CPU computes them, rows of the MTP layer too. */
    private static Import imported(int[] prompt, int pages) {
        CacheConfig cache =
                new CacheConfig(KvPolicy.RESIDENT, pages + 4, 128, 0, prompt.length, 1, CacheConfig.NONE, 1);
        try (Devices devices = of(TestDevice.CPU, FORMAT);
                ModelDevice device = devices.device(cache, prompt.length, false);
                ModelSession session = device.open(prompt.length)) {
            session.step(prompt, 0, prompt.length);
            return new CopiedPages(StoredKv.of(device, session), device.cache().geometry(), pages);
        }
    }

    /** Whole pages of another device. */
    private record CopiedPages(StoredKv kv, KvGeometry geometry, int pages) implements Import {
        @Override
        public int tokens() {
            return pages * Block.TOKENS;
        }

        @Override
        public void readRows(int layer, int page, MemorySegment target) {
            int bytes = Block.TOKENS * geometry.rowBytes();
            target.copyFrom(
                    MemorySegment.ofArray(kv.rows().get(page)).asSlice((long) layer * bytes, target.byteSize()));
        }

        @Override
        public void readKeys(int anchorLayer, int page, int count, MemorySegment target) {
            long at = (long) geometry.anchorLayers().indexOf(anchorLayer) * geometry.indexPageBytes();
            target.copyFrom(MemorySegment.ofArray(kv.keys().get(page)).asSlice(at, geometry.indexPageBytes()));
        }
    }

    /** Rows come back from the host. A region of one selection has no room for some guesses, one of four for all. */
    @ParameterizedTest
    @MethodSource("graphsThatReadTheHost")
    void guessesWithoutRoomAreDropped(TestDevice which) {
        int pages = 7;
        int[] prompt = prompt(pages * Block.TOKENS + 2);
        Optional<Import> imported = Optional.of(imported(prompt, pages));
        List<Integer> text = List.of();
        List<Long> dropped = new ArrayList<>();
        for (int hot : new int[] {64, 256}) {
            // By scores, a device that computes a step in other parts may keep other rows.
            CacheConfig cache = new CacheConfig(
                            KvPolicy.HYBRID, 5 + hot / 64, hot, 20, prompt.length + 6, 1, CacheConfig.NONE)
                    .with(Replacement.LRU);
            if (text.isEmpty()) {
                text = run(TestDevice.CPU, cache, prompt, imported, text).text;
            }
            Outcome outcome = run(which, cache.withDrafts(4), prompt, imported, text);
            Outcome cpu = run(TestDevice.CPU, cache.withDrafts(4), prompt, imported, text);
            assertThat(outcome.text).as("%d hot rows", hot).isEqualTo(text);
            assertThat(outcome.cache.hostRowsRead()).isPositive();
            assertThat(outcome).isEqualTo(cpu);
            Outcome byScore = run(which, cache.withDrafts(4).with(Replacement.SCORE), prompt, imported, text);
            assertThat(byScore.text).isEqualTo(text);
            assertThat(byScore.speculation).isEqualTo(cpu.speculation);
            assertThat(byScore.cache.hotLookups()).isEqualTo(cpu.cache.hotLookups());
            dropped.add(outcome.speculation.droppedRows());
        }
        assertThat(dropped.get(0)).isPositive();
        assertThat(dropped.get(1)).isZero();
    }

    private static List<TestDevice> graphsThatReadTheHost() {
        return graphs().stream().filter(TestDevice::readsHost).toList();
    }
}
