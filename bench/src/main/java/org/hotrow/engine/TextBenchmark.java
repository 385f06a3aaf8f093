package org.hotrow.engine;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hotrow.bench.FloorBenchmark;
import org.hotrow.modelloader.ChatContext;
import org.hotrow.modelloader.TextPart;
import org.hotrow.modelloader.template.TemplateValue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Words to ids and back, and a conversation through the chat template; opening a checkpoint. All of it by one thread, and
 * bookkeeping: there is no floor.
 */
@State(Scope.Benchmark)
public class TextBenchmark extends FloorBenchmark {
    private static final int SENTENCES = 64;
    private static final int TURNS = 16;
    /** Of {@link #text}. */
    private static final int CHARACTERS = 2240;

    private final String text = "The secret number of Anna is 4817. ".repeat(SENTENCES);
    private Path folder = Path.of("");
    private @Nullable Model model;
    private @Nullable ModelText words;
    private int[] ids = {};
    private final List<Map<String, TemplateValue>> messages = new ArrayList<>();

    /** Opens the demo model, without weights. */
    @Setup(Level.Trial)
    public void open() {
        folder = Path.of(Objects.requireNonNull(System.getProperty("hotrow.model"), "property hotrow.model"));
        model = Model.open(folder);
        words = new ModelText(folder);
        ids = words.encode(text);
        for (int i = 0; i < TURNS; i++) {
            messages.add(Map.of(
                    "role", TemplateValue.text(i % 2 == 0 ? "user" : "assistant"),
                    "content", TemplateValue.text("The secret number of Anna is 4817.")));
        }
    }

    /** Closes it. */
    @TearDown(Level.Trial)
    public void close() {
        Objects.requireNonNull(model).close();
    }

    /** A character of a text of 2,240. */
    @Benchmark
    @OperationsPerInvocation(CHARACTERS)
    public int[] encode() {
        return Objects.requireNonNull(words).encode(text);
    }

    /** The same text from its ids, a character. */
    @Benchmark
    @OperationsPerInvocation(CHARACTERS)
    public String decode() {
        return Objects.requireNonNull(words).decode(ids);
    }

    /** A conversation of 16 messages. */
    @Benchmark
    public List<TextPart> render() {
        return Objects.requireNonNull(words).render(new ChatContext(messages).addGenerationPrompt(true));
    }

    /** Opens the checkpoint: config, header of the tensors, a check of each; no weight is read. */
    @Benchmark
    public int checkpoint() {
        try (Model opened = Model.open(folder)) {
            return opened.config().layers();
        }
    }
}
