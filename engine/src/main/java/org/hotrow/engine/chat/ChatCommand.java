package org.hotrow.engine.chat;

import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.hotrow.engine.Console;
import org.hotrow.engine.Generator;
import org.hotrow.engine.Hotrow;
import org.hotrow.engine.Interrupt;
import org.hotrow.engine.Model;
import org.hotrow.engine.ModelOptions;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.SamplingOptions;
import org.hotrow.engine.Session;
import org.hotrow.engine.Timings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hotrow chat}: a conversation, at a terminal or through a pipe. */
@Command(
        name = "chat",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Talks with a model. /help lists what can be said to hotrow instead of the model.",
            "Without a terminal each line of stdin is a message, and only answers go to stdout."
        })
public final class ChatCommand implements Callable<Integer> {
    private final Console console;

    @Option(names = "--system", paramLabel = "TEXT", description = "system message before the conversation")
    private @Nullable String system;

    @Option(
            names = "--no-history",
            description = "keep no messages for the next start (default: hotrow/history in XDG_STATE_HOME)")
    private boolean noHistory;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SamplingOptions samplingOptions = new SamplingOptions();

    @Mixin
    private Timings timings;

    /** A conversation through {@code console}. */
    public ChatCommand(Console console, Timings timings) {
        this.console = console;
        this.timings = timings;
    }

    @Override
    public Integer call() {
        timings.end("command line");
        console.requireInput();
        AtomicBoolean ctrlC = new AtomicBoolean();
        // A terminal takes as long to open as the weights to load, so both happen at once.
        CompletableFuture<Lines> opening = console.keyboard()
                ? CompletableFuture.supplyAsync(() -> keyboard(ctrlC))
                : CompletableFuture.completedFuture(new PipedLines(console));
        try (Model model = modelOptions.open()) {
            timings.end("model opened");
            Sampling sampling = samplingOptions.sampling(model.generation());
            samplingOptions.stopStrings();
            Conversation conversation = new Conversation(() -> new Session(model), system);
            try (Generator generator = load(model, ctrlC)) {
                timings.end("weights loaded");
                Settings settings = new Settings(
                        sampling,
                        samplingOptions.seed(),
                        samplingOptions.maxNewTokens(),
                        true,
                        false,
                        modelOptions.cacheOptions());
                return talk(model, generator, conversation, settings, opening.join());
            }
        } catch (CancellationException whileLoading) {
            return Hotrow.INTERRUPTED;
        } finally {
            opening.join().close();
        }
    }

    private Lines keyboard(AtomicBoolean ctrlC) {
        Optional<Path> history = noHistory
                ? Optional.empty()
                : Optional.of(HistoryFile.of(System.getenv(), System.getProperty("user.home")));
        return Keyboard.open(history, new CommandCompleter(checkout()), ctrlC);
    }

    private Generator load(Model model, AtomicBoolean ctrlC) {
        try (Interrupt interrupt = new Interrupt()) {
            return modelOptions.load(
                    model, model.config().contextLength(), 1, console, () -> interrupt.requested() || ctrlC.get());
        }
    }

    private int talk(Model model, Generator generator, Conversation conversation, Settings settings, Lines lines) {
        Screen screen = new Screen(console, lines::columns);
        Show show = new Show(
                model,
                generator,
                modelOptions.folder(),
                "cpu, " + modelOptions.threads() + " threads, up to " + modelOptions.maxBatchedTokens()
                        + " prompt tokens a step",
                checkout());
        if (console.keyboard()) {
            timings.end("terminal");
            screen.dim(
                    show.modelName() + ", context " + Units.count(model.config().contextLength())
                            + " tokens · /help lists the commands, Ctrl-D leaves");
        }
        Answerer answerer = new Answerer(console, model, generator, samplingOptions, timings, lines, screen);
        return new Repl(console, lines, screen, answerer, new SavedIds(model), conversation, show, settings).run();
    }

    /** The checkout that the launcher runs from, if it says so. */
    private static @Nullable Path checkout() {
        String home = System.getProperty("hotrow.home");
        return home == null ? null : Path.of(home);
    }
}
