package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.ModelConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Caches in fp8 and bf16: what they hold, that every way to fill them gives the same bits, and how far from f32 they
 * lead. They are poisoned with NaN, so a read of what nobody wrote shows.
 */
class CacheFormatTest {
    private static final CacheFormat FP8 = CacheFormat.of(KvDtype.FP8);
    private static final CacheFormat BF16 = CacheFormat.of(KvDtype.BF16);
    private static final Golden SPARSE = ModelAndText.SPARSE;

    @ParameterizedTest
    @CsvSource({"FP8, FP8", "BF16, BF16", "FP8, BF16", "BF16, FP8", "FP8, FP32", "FP32, FP8"})
    void everyRowAndKeyIsTheComputedOneRounded(KvDtype rows, KvDtype keys) throws IOException {
        try (ModelAndText tiny = ModelAndText.tiny();
                ModelAndText demo = ModelAndText.demo()) {
            assertStored(tiny, new CacheFormat(rows, keys));
            assertStored(demo, new CacheFormat(rows, keys));
        }
    }

    private static void assertStored(ModelAndText loaded, CacheFormat format) {
        Recorder computed = new Recorder();
        ModelConfig config = loaded.config();
        int tokens = loaded.text().length;
        try (Workers workers = new Workers(2);
                ModelDevice device = loaded.device(format, workers, tokens, computed);
                ModelSession session = device.open(tokens)) {
            computed.expect(tokens);
            session.step(loaded.text(), 0, tokens);
            float[] row = new float[576];
            float[] key = new float[128];
            for (int layer = 0; layer < config.layers(); layer++) {
                List<float[]> rows = computed.floats("layer" + layer + ".row");
                for (int position = 0; position < tokens; position++) {
                    session.readRow(layer, position, row);
                    assertThat(row)
                            .as("layer %d, position %d", layer, position)
                            .isEqualTo(roundedRow(rows.get(position), format.rows()));
                }
            }
            for (int layer : config.indexer().anchors()) {
                List<float[]> keys = computed.floats("layer" + layer + ".index_key");
                for (int position = 0; position < tokens; position++) {
                    session.readIndexKey(layer, position, key);
                    assertThat(key)
                            .as("key of layer %d, position %d", layer, position)
                            .isEqualTo(roundedKey(keys.get(position), format.indexKeys()));
                }
            }
        }
    }

    private static float[] roundedRow(float[] row, KvDtype dtype) {
        if (dtype != KvDtype.FP8) {
            return plain(row, dtype);
        }
        float[] rounded = plain(row, KvDtype.BF16);
        for (int tile = 0; tile < 512; tile += 128) {
            ReferenceRounding.fp8(row, tile, 128, 1e-4, rounded);
        }
        return rounded;
    }

    private static float[] roundedKey(float[] key, KvDtype dtype) {
        if (dtype != KvDtype.FP8) {
            return plain(key, dtype);
        }
        float[] rounded = new float[key.length];
        ReferenceRounding.fp8(key, 0, key.length, 1e-4 / 448, rounded);
        return rounded;
    }

    private static float[] plain(float[] values, KvDtype dtype) {
        float[] rounded = values.clone();
        for (int i = 0; dtype == KvDtype.BF16 && i < values.length; i++) {
            rounded[i] = ReferenceRounding.bf16(values[i]);
        }
        return rounded;
    }

    @ParameterizedTest
    @EnumSource(names = {"FP8", "BF16"})
    void chunksThreadsAndDecodeGiveTheSameBits(KvDtype dtype) throws IOException {
        CacheFormat format = CacheFormat.of(dtype);
        try (ModelAndText tiny = ModelAndText.tiny();
                ModelAndText demo = ModelAndText.demo()) {
            Recorder tinyWhole = tiny.run(format, Integer.MAX_VALUE, 1);
            Recorder demoWhole = demo.run(format, Integer.MAX_VALUE, 1);
            for (int chunk : new int[] {1, 7, 63, 64, 65, Integer.MAX_VALUE}) {
                assertSame(tiny.run(format, chunk, 1), tinyWhole, "tiny, one thread, chunk " + chunk);
                assertSame(tiny.run(format, chunk, 2), tinyWhole, "tiny, two threads, chunk " + chunk);
                assertSame(demo.run(format, chunk, 2), demoWhole, "demo, two threads, chunk " + chunk);
            }
        }
    }

    private static void assertSame(Recorder run, Recorder whole, String what) {
        for (String name : whole.intNames()) {
            assertThat(run.ints(name)).as("%s of %s", name, what).containsExactlyElementsOf(whole.ints(name));
        }
        assertThat(run.bits("logits")).as(what).isEqualTo(whole.bits("logits"));
    }

    /**
     * The figures of an independent implementation in numpy that rounds rows and keys the same way, over the positions
     * that select 64 of more: mean share of the f32 selection in layers 0 and 3, RMS of the change of the logits, and
     * positions of 96 whose likeliest token stays. A row on the edge between two codes may fall to either side, so the
     * figures agree nearly.
     */
    @ParameterizedTest
    @CsvSource({
        "FP8,  FP32, 1.0000, 0.9891, 0.0882, 95",
        "FP32, FP8,  0.9906, 0.9788, 0.1792, 84",
        "FP8,  FP8,  0.9906, 0.9748, 0.1873, 82",
        "BF16, BF16, 0.9990, 0.9953, 0.0943, 93"
    })
    void leadsAsFarFromF32AsAnIndependentImplementation(
            KvDtype rows, KvDtype keys, double overlap0, double overlap3, double rms, int agreeing) {
        try (ModelAndText tiny = ModelAndText.tiny()) {
            Recorder run = tiny.run(new CacheFormat(rows, keys), Integer.MAX_VALUE, 2);
            assertThat(overlap(run, 0)).isCloseTo(overlap0, within(0.001));
            assertThat(overlap(run, 3)).isCloseTo(overlap3, within(0.003));
            float[] golden = SPARSE.floats("logits");
            List<float[]> logits = run.floats("logits");
            double squares = 0;
            int agree = 0;
            int width = logits.getFirst().length;
            for (int position = 64; position < logits.size(); position++) {
                float[] expected = Arrays.copyOfRange(golden, position * width, (position + 1) * width);
                for (int id = 0; id < width; id++) {
                    squares += Math.pow(logits.get(position)[id] - expected[id], 2);
                }
                agree += largest(logits.get(position)) == largest(expected) ? 1 : 0;
            }
            assertThat(Math.sqrt(squares / (logits.size() - 64) / width)).isCloseTo(rms, within(0.05 * rms));
            assertThat(agree).isBetween(agreeing - 2, agreeing + 2);
        }
    }

    private static double overlap(Recorder run, int layer) {
        int[] golden = SPARSE.ints("layer" + layer + ".topk");
        List<int[]> lists = run.ints("layer" + layer + ".topk");
        double sum = 0;
        for (int position = 64; position < lists.size(); position++) {
            Set<Integer> expected = Arrays.stream(golden, position * 64, (position + 1) * 64)
                    .boxed()
                    .collect(Collectors.toSet());
            sum += Arrays.stream(lists.get(position)).filter(expected::contains).count() / 64.0;
        }
        return sum / (lists.size() - 64);
    }

    private static int largest(float[] logits) {
        int best = 0;
        for (int id = 1; id < logits.length; id++) {
            best = logits[id] > logits[best] ? id : best;
        }
        return best;
    }

    @Test
    void saysByWhichFlagsItIsAskedFor() {
        assertThat(BF16.flags()).isEqualTo("--kv-dtype bf16");
        assertThat(FP8.flags()).isEqualTo("--kv-dtype fp8");
        assertThat(new CacheFormat(KvDtype.FP8, KvDtype.FP32).flags()).isEqualTo("--kv-dtype fp8 --index-dtype fp32");
    }
}
