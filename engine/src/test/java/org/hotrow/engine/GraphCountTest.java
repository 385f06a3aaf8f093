package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.hotrow.allocator.HostMemory;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How many graphs a model as deep as GLM-5.3 takes. */
class GraphCountTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final int TOKENS = 300;

    @TempDir
    private Path folder;

    private static CacheConfig cache(Model model, TestDevice device) {
        return device.readsHost()
                ? new CacheConfig(KvPolicy.HYBRID, 7, 64, 20, TOKENS, 1, CacheConfig.NONE)
                : CacheConfig.resident(model.config(), FORMAT, TOKENS);
    }

    @Test
    void aStepOf78LayersIsAtMost24Graphs() throws IOException {
        DeepModel.write(folder);
        TestDevice device = TestDevice.graphs().getFirst();
        try (Model model = Model.open(folder)) {
            DeviceArrays arrays = device.arrays();
            var step = new StepArrays(1, 1, 1, 1, 1, 1);
            var cache = new KvCache(model.config(), FORMAT, cache(model, device), 0, new KvCache.Memory() {
                @Override
                public KvTensor tensor(KvGeometry geometry) {
                    return new GraphKvTensor(arrays, geometry);
                }

                @Override
                public HostMemory host() {
                    return arrays.hostMemory();
                }
            });
            try (cache;
                    var walk = new GraphWalk(
                            model, FORMAT, step, cache, arrays, Variant.PORTABLE, List.of(1), 1, LoadProgress.NONE)) {
                assertThat(walk.graphs()).isBetween(2, 24);
            }
        }
    }

    /** TornadoVM builds a graph when it is executed first, and fails then if it is too large. Rounding grows with the layers. */
    @Test
    void graphsOfThatSizeExecute() throws IOException {
        TestDevice tornado = TestDevice.graphs().getFirst();
        assumeThat(tornado).isEqualTo(TestDevice.TORNADO);
        DeepModel.write(folder);
        List<float[]> logits = new ArrayList<>();
        try (Model model = Model.open(folder)) {
            int[] text = new Random(1).ints(3, 0, model.config().vocabSize()).toArray();
            for (TestDevice each : List.of(TestDevice.CPU, tornado)) {
                try (Devices devices = each.of(model, FORMAT);
                        ModelDevice device = devices.device(cache(model, tornado), 1, false);
                        ModelSession session = device.open(text.length)) {
                    for (int at = 0; at < text.length; at++) {
                        session.step(text, at, 1);
                    }
                    logits.add(session.logits().data().clone());
                }
            }
        }
        assertThat(logits.getLast()).containsExactly(logits.getFirst(), org.assertj.core.data.Offset.offset(2e-2f));
    }
}
