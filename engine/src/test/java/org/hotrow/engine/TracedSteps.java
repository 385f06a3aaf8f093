package org.hotrow.engine;

import java.util.Random;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;

/** A process of its own, for a driver that traces its calls: a prompt in a tiny pool, then tokens one by one. */
final class TracedSteps {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);

    private TracedSteps() {}

    public static void main(String[] arguments) {
        try (Model model = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
                Devices devices = GraphDevices.tornado(model, FORMAT, LoadProgress.NONE)) {
            int[] text = new Random(1).ints(9, 0, model.config().vocabSize()).toArray();
            CacheConfig cache = new CacheConfig(KvPolicy.HYBRID, 7, 64, 20, 300, 1, CacheConfig.NONE);
            long start = System.nanoTime();
            try (ModelDevice device = devices.device(cache, 4, false);
                    ModelSession session = device.open(text.length)) {
                System.out.printf("loaded in %d ms%n", (System.nanoTime() - start) / 1_000_000);
                session.step(text, 0, 4);
                for (int at = 4; at < text.length; at++) {
                    start = System.nanoTime();
                    session.step(text, at, 1);
                    System.out.printf("step of a token in %d ms%n", (System.nanoTime() - start) / 1_000_000);
                }
            }
        }
    }
}
