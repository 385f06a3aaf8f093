package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import org.hotrow.allocator.Allocator;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.ModelConfig;
import org.junit.jupiter.api.Test;

/** Times of a request on a device whose every batch takes 10 ns. */
class RunResultTest {
    private static final ModelConfig MODEL = ModelConfig.read(Golden.resource("glm-tiny/tiny-fp8"));
    private static final CacheFormat FP32 = CacheFormat.of(KvDtype.FP32);
    private static final RequestLine LINE = RequestFile.parse(
                    Path.of("r"), "{\"id\": \"a\", \"prompt\": \"x\"}".getBytes(StandardCharsets.UTF_8), MODEL)
            .requests()
            .getFirst();

    private static RunResult run(int maxTokens, Draw draw) {
        CacheConfig cache = CacheConfig.resident(MODEL, FP32, 64);
        Allocator allocator =
                cache.allocator(cache.geometry(MODEL, FP32), MODEL.indexer().topK());
        AtomicLong clock = new AtomicLong(1000);
        StepDevice device = new StepDevice() {
            @Override
            public void run(Batch batch) {
                clock.addAndGet(10);
            }

            @Override
            public float[] logits() {
                return new float[1];
            }

            @Override
            public int logitsAt(int i) {
                return 0;
            }
        };
        Scheduler scheduler = new Scheduler(allocator, device, 1, 4, clock::get);
        Sequence sequence = new Sequence(new int[6], maxTokens, id -> false, draw, id -> true);
        scheduler.submit(sequence);
        while (!sequence.ended()) {
            scheduler.step();
        }
        return RunResult.of(LINE, sequence, 900, "text");
    }

    @Test
    void timesAreFromArrivalAndPerTokenAfterTheFirst() {
        // Two batches for the prompt of 6 tokens, then one for each token after the first.
        RunResult result = run(10, (logits, from) -> 1);
        assertThat(result.outputIds()).hasSize(4);
        assertThat(result.queueNanos()).hasValue(100);
        assertThat(result.firstTokenNanos()).hasValue(120);
        assertThat(result.perTokenNanos()).hasValue(10);
        assertThat(result.promptTokens()).isEqualTo(6);
        assertThat(result.finishReason()).isEqualTo(FinishReason.LENGTH);
    }

    @Test
    void oneTokenHasNoTimePerToken() {
        RunResult result = run(7, (logits, from) -> 1);
        assertThat(result.firstTokenNanos()).hasValue(120);
        assertThat(result.perTokenNanos()).isEqualTo(OptionalLong.empty());
    }

    @Test
    void aFailureIsToldByItsLine() {
        RunResult result = run(10, (logits, from) -> {
            throw new EngineException("logits are not finite");
        });
        assertThat(result.finishReason()).isEqualTo(FinishReason.ERROR);
        assertThat(result.error()).isEqualTo(Optional.of("line 1: logits are not finite"));
        assertThat(result.firstTokenNanos()).isEmpty();
    }
}
