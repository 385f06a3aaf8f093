package org.hotrow.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hotrow chat}: a conversation, one line of input a turn, until {@code exit} or the end of input. */
@Command(
        name = "chat",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Talks with a model: one line a turn, the whole conversation is put to the model each time.",
            "exit or Ctrl-D ends it."
        })
final class ChatCommand implements Callable<Integer> {
    private final Console console;

    @Option(names = "--system", paramLabel = "TEXT", description = "system message before the conversation")
    private @Nullable String system;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SamplingOptions samplingOptions = new SamplingOptions();

    @Mixin
    private Timings timings;

    ChatCommand(Console console, Timings timings) {
        this.console = console;
        this.timings = timings;
    }

    @Override
    public Integer call() {
        timings.end("command line");
        try (Model model = modelOptions.open()) {
            timings.end("model opened");
            Sampling sampling = samplingOptions.sampling(model.generation());
            samplingOptions.stopStrings();
            try (Generator generator = load(model)) {
                timings.end("weights loaded");
                return talk(model, generator, sampling);
            }
        } catch (CancellationException whileLoading) {
            return Hotrow.INTERRUPTED;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Generator load(Model model) {
        try (Interrupt interrupt = new Interrupt()) {
            return modelOptions.load(model, model.config().contextLength(), 1, console, interrupt);
        }
    }

    private int talk(Model model, Generator generator, Sampling sampling) throws IOException {
        Session session = new Session(model.text(), model.generation().eosIds());
        boolean first = true;
        for (String line = ask(); line != null; line = ask()) {
            if (line.isBlank()) {
                continue;
            }
            if (line.strip().equals("exit") || line.strip().equals("quit")) {
                break;
            }
            timings.end("input awaited");
            List<JsonObject> turn = new ArrayList<>();
            if (first && system != null) {
                turn.add(Session.message("system", system));
            }
            turn.add(Session.message("user", line));
            try {
                if (answer(model, generator, sampling, session, turn) == FinishReason.CANCELLED) {
                    return Hotrow.INTERRUPTED;
                }
                first = false;
            } catch (RequestException e) {
                // The turn doesn't fit in the context: it is dropped, the conversation goes on.
                console.err().println(e.getMessage());
            }
        }
        return Hotrow.OK;
    }

    private @Nullable String ask() throws IOException {
        if (console.terminal()) {
            console.err().print("> ");
            console.err().flush();
        }
        return console.in().readLine();
    }

    private FinishReason answer(
            Model model, Generator generator, Sampling sampling, Session session, List<JsonObject> turn) {
        TokenPrinter printer = new TokenPrinter(console, model, samplingOptions.stopStrings());
        try (Interrupt interrupt = new Interrupt()) {
            int[] ids = session.promptOfMessages(turn);
            timings.end("prompt encoded");
            Completion completion = generator.generate(
                    ids,
                    samplingOptions.maxNewTokens(),
                    sampling,
                    samplingOptions.ignoreEos(),
                    timings.until(printer),
                    interrupt::requested);
            printer.finish();
            console.answer("\n");
            console.dim(completion.summary(model.config().contextLength()));
            timings.report(console);
            session.answered(completion.outputIds(), printer.text(), completion.finishReason());
            return completion.finishReason();
        }
    }
}
