package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The demo model on the device of an SDK says its goldens: prompt and answer, in a pool that can't hold the request. */
@EnabledIfEnvironmentVariable(named = "TORNADOVM_HOME", matches = ".+")
class TornadoDemoTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP32);
    private static final int HOT = 1024;

    @ParameterizedTest
    @ValueSource(strings = {"0_story_raw", "2_chat_fact", "4_needle_1200"})
    void saysItsGoldens(String name) throws IOException {
        DemoGolden golden = DemoGolden.read(name);
        int[] prompt = golden.ints("input_ids");
        int[] expected = golden.ints("generated_ids");
        int tokens = prompt.length + expected.length;
        try (Model model = Model.open(DemoGolden.MODEL);
                Devices devices = TestDevice.TORNADO.of(model, FORMAT);
                ModelDevice device = devices.device(cache(model, tokens), 24, false);
                ModelSession session = device.open(tokens)) {
            session.append(prompt, 0, prompt.length);
            while (session.pending() > 0) {
                session.step(24);
            }
            Sampler sampler = new Sampler(Sampling.GREEDY, prompt, model.candidates());
            for (int i = 0; i < expected.length; i++) {
                int next = sampler.next(session.logits().data(), 0);
                assertThat(next).as("token %d of %s", i, name).isEqualTo(expected[i]);
                session.step(new int[] {next}, 0, 1);
            }
            System.out.println(name + ": " + device.counters());
            assertThat(device.counters().hostRowsRead() > 0).isEqualTo(TestDevice.TORNADO.readsHost() && tokens > 1000);
        }
    }

    private static CacheConfig cache(Model model, int tokens) {
        if (!TestDevice.TORNADO.readsHost() || tokens < 1000) {
            return CacheConfig.resident(model.config(), FORMAT, tokens);
        }
        int smallest = CacheConfig.geometry(model.config(), FORMAT, 2).smallestPool(tokens, HOT);
        return new CacheConfig(KvPolicy.HYBRID, smallest, HOT, 40, tokens, 1, CacheConfig.NONE);
    }
}
