package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/** The plan against what a device is asked for when a model is loaded, byte by byte. */
class MemoryPlanTest {
    private static final List<Integer> ROWS = List.of(1, 24);
    /** Places of layers, unit numbers: planned as a few ints too many. */
    private static final long LITTLE = 4_096;

    /** Adds up what it gives. */
    private static final class CountingArrays extends ForwardingArrays {
        private long bytes;

        @Override
        public <T> T adopt(T adopted) {
            DeviceArrays.each(List.of(adopted), array -> bytes += array.getNumBytesOfSegment());
            return super.adopt(adopted);
        }

        @Override
        public LongArray longs(long count) {
            bytes += count * Long.BYTES;
            return super.longs(count);
        }
    }

    private static MemoryPlan plan(Model model, CacheFormat format, CacheConfig cache, int maxRows) {
        KvGeometry geometry = cache.geometry(model.config(), format);
        return new MemoryPlan(
                model,
                format,
                cache,
                geometry,
                ModelDevice.arrays(cache, geometry, maxRows, false),
                GraphWalk.sizes(ROWS, maxRows),
                0);
    }

    @ParameterizedTest
    @CsvSource({
        "HYBRID, 40, 50, 0, LRU",
        "HYBRID, 40, 50, 0, SCORE",
        "HYBRID, 1, 12, 0, SCORE",
        "RESIDENT, 3, 0, 0, LRU",
        "HYBRID, 40, 50, 2, LRU",
        "HYBRID, 40, 50, 2, SCORE"
    })
    void saysWhatADeviceIsAskedFor(KvPolicy policy, int maxRows, int hostPages, int drafts, Replacement replacement) {
        try (Model model = Model.open(DemoGolden.MODEL)) {
            CacheFormat format = CacheFormat.of(KvDtype.FP8);
            CacheConfig cache =
                    new CacheConfig(policy, 60, 256, hostPages, 700, 2, CacheConfig.NONE, drafts).with(replacement);
            List<CountingArrays> made = new ArrayList<>();
            GraphDevices devices = GraphDevices.emulated(model, format, LoadProgress.NONE, () -> {
                made.add(new CountingArrays());
                return made.getLast();
            });
            devices.device(cache, maxRows, false).close();
            long planned = plan(model, format, cache, maxRows).total();
            assertThat(planned - made.getLast().bytes).isBetween(0L, LITTLE);
            assertThat(devices.memory())
                    .contains(plan(model, format, cache, maxRows).lines().getLast());
        }
    }

    @Test
    void refusesAByteTooLittleWithAllNumbers() {
        try (Model model = Model.open(DemoGolden.MODEL)) {
            CacheConfig cache = new CacheConfig(KvPolicy.HYBRID, 60, 256, 40, 700, 2, CacheConfig.NONE);
            MemoryPlan plan = plan(model, CacheFormat.of(KvDtype.FP8), cache, 40);
            assertThatCode(() -> plan.require("a device", plan.total(), "buy one"))
                    .doesNotThrowAnyException();
            assertThatThrownBy(() -> plan.require("a device", plan.total() - 1, "buy one"))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining(String.format("takes %,d:", plan.total()))
                    .hasMessageMatching(
                            "a device has [\\d,]+ bytes of memory and this takes .* routed experts [\\d,]+, KV"
                                    + " tensor [\\d,]+, resolver .* hot regions [\\d,]+, a block [\\d,]+\\); lower --kv-blocks"
                                    + " \\(here 60\\).*buy one");
        }
    }

    /** Kernels index the values of f32 slabs by ints. */
    @Test
    void refusesAnFp32PoolThatIntsDoNotIndex() {
        try (Model model = Model.open(DemoGolden.MODEL)) {
            CacheFormat format = CacheFormat.of(KvDtype.FP32);
            CacheConfig cache = new CacheConfig(KvPolicy.RESIDENT, 12_000, 256, 0, 700, 1, CacheConfig.NONE);
            GraphDevices devices = GraphDevices.emulated(model, format, LoadProgress.NONE);
            assertThatThrownBy(() -> devices.device(cache, 1, false))
                    .isInstanceOf(RequestException.class)
                    .hasMessageStartingWith("--kv-blocks 12000: an fp32 slab of 2211840000 values");
        }
    }

    @Test
    void nothingIsTakenOfAMachineThatIsTooSmall() {
        try (Model model = Model.open(DemoGolden.MODEL)) {
            CacheFormat format = CacheFormat.of(KvDtype.FP8);
            int blocks =
                    (int) (MachineMemory.bytes() / (64L * 656 * model.config().layers()));
            CacheConfig cache = new CacheConfig(KvPolicy.RESIDENT, blocks, 256, 0, 700, 1, CacheConfig.NONE);
            GraphDevices devices = GraphDevices.emulated(model, format, (loaded, total) -> {
                throw new AssertionError("weights are loaded");
            });
            assertThatThrownBy(() -> devices.device(cache, 1, false))
                    .isInstanceOf(EngineException.class)
                    .hasMessageStartingWith("emulator on the JVM has " + String.format("%,d", MachineMemory.bytes()));
        }
    }
}
