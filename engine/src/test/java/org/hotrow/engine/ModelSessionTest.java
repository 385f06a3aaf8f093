package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one request takes of the machine. */
class ModelSessionTest {
    @Test
    void holdsLogitsForTheRowsThatWantThemOnly(@TempDir Path folder) throws IOException {
        ZeroModel.write(folder, 64, 24);
        int rows = 5;
        try (Model model = Model.open(folder);
                CpuWeights weights = CpuWeights.load(model.config(), model.weights(), LoadProgress.NONE);
                Workers workers = new Workers(1)) {
            for (boolean every : new boolean[] {false, true}) {
                CacheFormat format = CacheFormat.of(KvDtype.FP32);
                try (ModelDevice device = new ModelDevice(
                                model,
                                weights,
                                workers,
                                Lanes.vector(),
                                format,
                                CacheConfig.resident(model.config(), format, rows),
                                rows,
                                every,
                                WalkProbe.NONE);
                        ModelSession session = device.open(rows)) {
                    session.step(new int[rows], 0, rows);
                    int vocab = model.config().vocabSize();
                    assertThat(session.logits().data()).hasSize(every ? rows * vocab : vocab);
                }
            }
        }
    }

    @Test
    void refusesABufferThatNoArrayHolds() {
        assertThatThrownBy(() -> CpuActivation.of(1 << 16, 1 << 15))
                .isInstanceOf(EngineException.class)
                .hasMessageContaining("65536 rows x 32768 values")
                .hasMessageContaining("--max-batched-tokens");
        assertThatThrownBy(() -> CpuInts.of(1 << 16, 1 << 15)).isInstanceOf(EngineException.class);
    }

    @Test
    void refusesWhatIsLargerThanTheMachine() {
        MachineMemory.require(10, 10, "the cache", "shorten it");
        assertThatThrownBy(() -> MachineMemory.require(11, 10, "the cache", "shorten it"))
                .isInstanceOf(EngineException.class)
                .hasMessage("the cache: 11 bytes, but this machine has 10 bytes of memory: shorten it");
        assertThatThrownBy(() -> MachineMemory.require(Long.MAX_VALUE, "the cache", "shorten it"))
                .isInstanceOf(EngineException.class);
    }
}
