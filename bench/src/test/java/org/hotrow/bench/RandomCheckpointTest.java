package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.PoolSize;
import org.hotrow.engine.RandomPrefill;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.Sequence;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RandomCheckpointTest {
    private static final Path DEMO = Path.of("../engine/demo-model");
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);

    @TempDir
    Path folder;

    private Path write(String name, long seed) throws IOException {
        RandomCheckpoint.write(DEMO, folder.resolve(name), seed);
        return folder.resolve(name);
    }

    @Test
    void theSameSeedGivesTheSameBytes() throws IOException {
        Path first = write("a", 7).resolve("model.safetensors");
        assertThat(Files.mismatch(first, write("b", 7).resolve("model.safetensors")))
                .isEqualTo(-1);
        assertThat(Files.mismatch(first, write("c", 8).resolve("model.safetensors")))
                .isNotEqualTo(-1);
        assertThat(Files.size(first)).isLessThanOrEqualTo(Files.size(DEMO.resolve("model.safetensors")) + 4096);
    }

    /** Random rows of a long context, of which most are on the host: the same ids as with all of them on the device. */
    @Test
    void decodesAfterAnImportedContextInAnyPool() throws IOException {
        try (Model model = Model.open(write("model", 1))) {
            assertThat(model.config().contextLength()).isEqualTo(131_072);
            List<Integer> resident = decode(model, 100, 0);
            assertThat(resident).hasSize(6).doesNotHaveDuplicates();
            assertThat(decode(model, 10, 1)).isEqualTo(resident);
        }
    }

    private static List<Integer> decode(Model model, int percent, long leastRowsRead) {
        int context = 8000;
        int blocks = PoolSize.blocks(model.config(), FORMAT, context + 64, percent);
        CacheOptions options = new CacheOptions(
                KvPolicy.HYBRID,
                OptionalInt.of(blocks),
                OptionalInt.empty(),
                OptionalLong.empty(),
                OptionalInt.empty(),
                0);
        List<Integer> ids = new ArrayList<>();
        try (Generator generator =
                new Generator(model, FORMAT, options, context + 64, 1, Lanes.vector(), 2, 64, LoadProgress.NONE)) {
            int[] prompt = new int[context];
            var rows = new RandomPrefill(model.config(), FORMAT, context - 1, new SplittableRandom(3));
            Sequence sequence = generator.submit(prompt, Optional.of(rows), 6, Sampling.GREEDY, true, ids::add);
            generator.finish(sequence, () -> false);
            assertThat(generator.counters().hostRowsRead()).isGreaterThanOrEqualTo(leastRowsRead);
            assertThat(generator.counters().hostRowsRead() > 0).isEqualTo(percent < 100);
            assertThat(generator.counters().peakDeviceBlocks()).isLessThan(blocks);
        }
        return ids;
    }

    @Test
    void aPoolHasWhatAnyRequestNeeds() throws IOException {
        try (Model model = Model.open(DEMO)) {
            int resident = PoolSize.blocks(model.config(), FORMAT, 64_000, 100);
            assertThat(resident).isEqualTo(1 + 1000 + 125);
            assertThat(PoolSize.blocks(model.config(), FORMAT, 64_000, 10)).isEqualTo(1 + 125 + 100);
            // A hot region of eight blocks and three pages.
            assertThat(PoolSize.blocks(model.config(), FORMAT, 64_000, 1)).isEqualTo(1 + 125 + 11);
        }
    }
}
