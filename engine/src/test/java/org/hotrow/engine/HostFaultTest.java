package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A damaged host row changes the logits exactly when it is read from there: when the position was selected while its page
 * was not on the device. So a hit on the device doesn't read the host, and what should come from the host does.
 */
class HostFaultTest {
    private static final int TOKENS = 330;
    private static final int PROMPT = 300;

    /** What a run gave: all logits, and the positions that were selected while they were not resident. */
    private record Outcome(List<float[]> logits, BitSet readFromHost) {
        boolean sameLogits(Outcome other) {
            for (int i = 0; i < logits.size(); i++) {
                if (!Arrays.equals(logits.get(i), other.logits.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }

    private static Outcome run(ModelAndText text, CacheFormat format, KvPolicy policy, int blocks, int fault) {
        int hostPages = policy.usesHost() ? 8 : 0;
        CacheConfig cache = new CacheConfig(policy, blocks, 64, hostPages, TOKENS, 1, fault);
        Recorder recorder = new Recorder();
        Outcome outcome = new Outcome(new ArrayList<>(), new BitSet());
        try (Workers workers = new Workers(1);
                ModelDevice device = text.device(format, cache, workers, 50, recorder);
                ModelSession session = device.open(TOKENS)) {
            session.append(text.text(), 0, PROMPT);
            for (int known = PROMPT; known <= TOKENS; known++) {
                while (session.pending() > 0) {
                    // In a small pool a step may take fewer; rows beyond it repeat lists of the step before.
                    recorder.expect(1);
                    session.step(1);
                    CpuActivation all = session.logits();
                    outcome.logits.add(Arrays.copyOf(all.data(), all.width()));
                    noteLost(session, recorder, text, outcome.readFromHost);
                }
                if (known < TOKENS) {
                    session.append(text.text(), known, 1);
                }
            }
        }
        return outcome;
    }

    private static void noteLost(ModelSession session, Recorder recorder, ModelAndText text, BitSet lost) {
        int[] blocks = new int[session.residency().pages()];
        session.residency().copyBlocks(blocks, 0);
        for (int anchor : text.config().indexer().anchors()) {
            for (int position : recorder.ints("layer" + anchor + ".topk").getLast()) {
                if (position >= 0 && blocks[position / Block.TOKENS] == 0) {
                    lost.set(position);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(KvDtype.class)
    void changesTheLogitsExactlyWhenItIsRead(KvDtype dtype) {
        CacheFormat format = CacheFormat.of(dtype);
        try (ModelAndText text = ModelAndText.random("glm-tiny/tiny-fp8", TOKENS)) {
            int small = 1 + 1 + 1 + 3;
            int large = CacheConfig.residentBlocks(text.config(), format, TOKENS);
            Outcome sound = run(text, format, KvPolicy.HYBRID, small, CacheConfig.NONE);
            assertThat(sound.readFromHost.cardinality()).isBetween(1, TOKENS - 1);
            int never = sound.readFromHost.nextClearBit(0);
            int[] positions = {
                sound.readFromHost.nextSetBit(0),
                sound.readFromHost.previousSetBit(TOKENS),
                sound.readFromHost.nextSetBit(100),
                never,
                sound.readFromHost.nextClearBit(never + 1),
                TOKENS - 1,
                TOKENS + 100
            };
            for (int position : positions) {
                Outcome damaged = run(text, format, KvPolicy.HYBRID, small, position);
                assertThat(damaged.sameLogits(sound))
                        .as("position %d", position)
                        .isEqualTo(!sound.readFromHost.get(position));
                for (float[] logits : damaged.logits) {
                    for (float logit : logits) {
                        assertThat(logit).isFinite();
                    }
                }
            }
            int read = positions[0];
            for (KvPolicy policy : KvPolicy.values()) {
                assertThat(run(text, format, policy, large, read).sameLogits(sound))
                        .as("%s with all rows on the device", policy)
                        .isTrue();
            }
        }
    }
}
