package org.hotrow.engine.chat;

import java.util.List;
import java.util.Optional;
import org.hotrow.engine.CacheCounters;
import org.hotrow.engine.Completion;
import org.hotrow.engine.Console;
import org.hotrow.engine.FinishReason;
import org.hotrow.engine.Generator;
import org.hotrow.engine.KvSnapshot;
import org.hotrow.engine.Model;
import org.hotrow.engine.SamplingOptions;
import org.hotrow.engine.Sequence;
import org.hotrow.engine.SpeculationCounters;
import org.hotrow.engine.Timings;
import org.jspecify.annotations.Nullable;

/** Has the model answer: one message at a time, shown as it comes, counted, and stopped when the user wants it. */
final class Answerer {
    private static final String WAYS_OUT = "/undo takes back the last turn, /clear begins anew";
    private static final long WATCH_NANOS = 100_000_000;

    private final Console console;
    private final Model model;
    private final Generator generator;
    private final SamplingOptions options;
    private final Timings timings;
    private final Lines lines;
    private final Screen screen;
    private final Totals totals = new Totals();
    private @Nullable LastAnswer last;

    /** What became of a message. */
    enum Outcome {
        /** It has its answer. */
        ANSWERED,
        /** It has the part of an answer that came before somebody stopped it. */
        CUT_SHORT,
        /** Somebody stopped it before the first token; the conversation is as it was. */
        STOPPED,
        /** The conversation had no room for it, and is as it was. */
        NOT_SENT;

        /** Whether the conversation has the message. */
        boolean kept() {
            return this == ANSWERED || this == CUT_SHORT;
        }

        /** Whether somebody wanted it to stop. */
        boolean stopped() {
            return this == CUT_SHORT || this == STOPPED;
        }
    }

    // Of the answer that goes on.
    private @Nullable Sequence sequence;
    private Optional<KvSnapshot> pages = Optional.empty();
    private CacheCounters before = CacheCounters.ZERO;
    private SpeculationCounters guessedBefore = SpeculationCounters.ZERO;
    private long watched;

    Answerer(
            Console console,
            Model model,
            Generator generator,
            SamplingOptions options,
            Timings timings,
            Lines lines,
            Screen screen) {
        this.console = console;
        this.model = model;
        this.generator = generator;
        this.options = options;
        this.timings = timings;
        this.lines = lines;
        this.screen = screen;
    }

    /**
     * Answers a message; if it gets no answer, the conversation is as it was.
     *
     * @return what became of it
     */
    Outcome answer(Conversation conversation, String user, Settings settings) {
        timings.end("input awaited");
        PromptProgress progress = new PromptProgress(screen);
        try (Lines.Stop stop = lines.working(progress::stopping)) {
            int[] prompt = conversation.ask(user, settings.think());
            timings.end("prompt encoded");
            int context = model.config().contextLength();
            if (prompt.length >= context) {
                screen.line("the context is full: with this message the conversation has " + prompt.length
                        + " tokens of " + context + " (max_position_embeddings), so it was not sent; " + WAYS_OUT);
                return Outcome.NOT_SENT;
            }
            AnswerPrinter printer = new AnswerPrinter(
                    model,
                    options.stopStrings(),
                    screen,
                    conversation.reasoning(),
                    settings.think(),
                    progress::end,
                    () -> look(settings));
            Completion completion = generate(prompt, settings, printer, stop, progress);
            return answered(conversation, completion, printer, settings);
        }
    }

    private Completion generate(
            int[] prompt, Settings settings, AnswerPrinter printer, Lines.Stop stop, PromptProgress progress) {
        before = generator.counters();
        guessedBefore = generator.speculation();
        pages = Optional.empty();
        boolean whole = false;
        try {
            Sequence submitted = generator.submit(
                    prompt, settings.maxTokens(), settings.next(), options.ignoreEos(), timings.until(printer));
            sequence = submitted;
            Completion completion = generator.finish(submitted, () -> {
                progress.step(submitted.cached() + submitted.prefilled(), prompt.length);
                return stop.requested();
            });
            whole = true;
            return completion;
        } finally {
            sequence = null;
            progress.end();
            if (whole || !printer.said().isEmpty()) {
                printer.finish();
            }
        }
    }

    private Outcome answered(
            Conversation conversation, Completion completion, AnswerPrinter printer, Settings settings) {
        int context = model.config().contextLength();
        LastAnswer answer = new LastAnswer(
                completion,
                generator.counters().since(before),
                generator.speculation().since(guessedBefore),
                pages);
        last = answer;
        totals.add(completion);
        screen.dim(answer.line(context));
        timings.report(console);
        if (settings.watch()) {
            watch(answer.kv());
        }
        if (completion.outputIds().isEmpty()) {
            screen.dim("stopped before the first token, so the conversation is as it was");
            return completion.finishReason() == FinishReason.CANCELLED ? Outcome.STOPPED : Outcome.NOT_SENT;
        }
        conversation.answered(completion.outputIds(), printer.said(), completion.finishReason());
        if (printer.toolCalled()) {
            screen.dim("the model called a tool; chat runs none: answer in its place");
        }
        if (completion.finishReason() == FinishReason.LENGTH) {
            boolean full =
                    completion.promptIds().size() + completion.outputIds().size() >= context;
            screen.line(
                    full
                            ? "the context is full (" + context + " tokens); " + WAYS_OUT
                            : "stopped after max_tokens " + settings.maxTokens() + "; /set max_tokens N allows more");
        }
        return completion.finishReason() == FinishReason.CANCELLED ? Outcome.CUT_SHORT : Outcome.ANSWERED;
    }

    /** After each token: the pages are known only as long as the request runs. */
    private void look(Settings settings) {
        if (sequence != null) {
            pages = generator.snapshot(sequence);
        }
        long now = System.nanoTime();
        if (settings.watch() && now - watched >= WATCH_NANOS) {
            watched = now;
            watch(generator.counters().since(before));
        }
    }

    private void watch(CacheCounters since) {
        pages.ifPresent(kv -> lines.status(KvView.line(kv, since, screen.width())));
    }

    /** Numbers of the last answer and of all. */
    List<String> stats() {
        return last == null
                ? List.of("no answer yet")
                : totals.lines(last, model.config().contextLength());
    }

    /** The last answer, if there was one. */
    @Nullable
    LastAnswer last() {
        return last;
    }

    /** Goes over to other settings. A new cache is empty; the conversation's rows are computed again when it goes on. */
    void use(Settings old, Settings next) {
        if (!old.cache().equals(next.cache())) {
            generator.use(next.cache());
            last = null;
        }
    }
}
