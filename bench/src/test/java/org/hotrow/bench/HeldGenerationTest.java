package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.hotrow.engine.Completion;
import org.hotrow.engine.RequestException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class HeldGenerationTest {
    private static DemoModel model;

    @BeforeAll
    static void open() {
        System.setProperty("hotrow.model", Path.of("../engine/demo-model").toString());
        model = new DemoModel();
    }

    @AfterAll
    static void close() {
        model.close();
    }

    @Test
    void decodesNothingBeforeItIsFinished() throws InterruptedException {
        HeldGeneration generation = new HeldGeneration(model, model.prompt(3), 4);
        long held = System.nanoTime();
        Thread.sleep(300);
        long released = System.nanoTime();
        Completion completion = generation.finish();
        assertThat(completion.outputIds()).hasSize(4);
        // From the first token to the last: all of the pause, unless the last came before it was over.
        assertThat(completion.decodeNanos()).isGreaterThan(released - held);
    }

    @Test
    void failsAsTheGenerationDoes() throws InterruptedException {
        HeldGeneration generation = new HeldGeneration(model, new int[0], 4);
        assertThatThrownBy(generation::finish).hasCauseInstanceOf(RequestException.class);
    }
}
