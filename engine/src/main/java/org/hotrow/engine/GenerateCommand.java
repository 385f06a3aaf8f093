package org.hotrow.engine;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.hotrow.allocator.Import;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hotrow generate}: answers or continues one prompt. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Answers a prompt. Text goes to stdout as it comes; ids if the model has no tokenizer.",
            "A text is put to the model as its chat template says, unless --raw is given."
        })
final class GenerateCommand implements Callable<Integer> {
    private final Console console;

    @ArgGroup(multiplicity = "0..1")
    private PromptOptions prompt = new PromptOptions();

    @Mixin
    private RenderOptions renderOptions = new RenderOptions();

    @Option(
            names = "--import",
            paramLabel = "FILE",
            description = {
                "file of hotrow export; tokens that the prompt begins with are taken from it",
                "instead of computed. Without a prompt its tokens are the prompt."
            })
    private @Nullable Path importFile;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SamplingOptions samplingOptions = new SamplingOptions();

    @Option(names = "--json", description = "print one JSON object instead of text")
    private boolean json;

    @Mixin
    private Timings timings;

    GenerateCommand(Console console, Timings timings) {
        this.console = console;
        this.timings = timings;
    }

    @Override
    public Integer call() {
        try {
            return answer();
        } catch (RuntimeException e) {
            if (json && Hotrow.exitCode(e) == Hotrow.RUN_TIME_ERROR) {
                JsonReport.writeError(console, e);
            }
            throw e;
        }
    }

    private int answer() {
        long start = System.nanoTime();
        timings.end("command line");
        if (!prompt.given() && importFile == null) {
            throw new RequestException(
                    "a prompt is missing: expected --prompt, --prompt-file, --prompt-ids or --import");
        }
        renderOptions.check(prompt);
        StopStrings stops = samplingOptions.stopStrings();
        try (Interrupt interrupt = new Interrupt();
                Model model = modelOptions.open();
                @Nullable
                        PrefillFile prefill = importFile == null ? null : modelOptions.openImport(importFile, model)) {
            timings.end("model opened");
            Sampling sampling = samplingOptions.sampling(model.generation());
            int[] ids = promptIds(model, prefill);
            PromptIds.check((prompt.given() ? prompt.flag() : "--import") + ": ", ids, model.config());
            Optional<Import> imported = Optional.ofNullable(prefill).map(file -> file.of(ids));
            int maxTokens = Math.clamp((long) ids.length + samplingOptions.maxNewTokens(), 1, Integer.MAX_VALUE);
            modelOptions.requireRoom(model, maxTokens);
            timings.end("prompt encoded");
            TokenPrinter printer = new TokenPrinter(json ? null : console, model, stops);
            try (Generator generator = modelOptions.load(model, maxTokens, 1, console, interrupt::requested)) {
                timings.end("weights loaded");
                long loadNanos = System.nanoTime() - start;
                Completion completion = generator.generate(
                        ids,
                        imported,
                        samplingOptions.maxNewTokens(),
                        sampling,
                        samplingOptions.ignoreEos(),
                        timings.until(printer),
                        interrupt::requested);
                return show(model, completion, printer, generator.counters(), generator.speculation(), loadNanos);
            } catch (CancellationException whileLoading) {
                return show(
                        model,
                        Completion.cancelled(ids),
                        printer,
                        CacheCounters.ZERO,
                        SpeculationCounters.ZERO,
                        System.nanoTime() - start);
            }
        }
    }

    /** The prompt, or all tokens of the import. */
    private int[] promptIds(Model model, @Nullable PrefillFile prefill) {
        return prompt.given()
                ? renderOptions.promptIds(prompt, model)
                : Objects.requireNonNull(prefill).tokens();
    }

    private int show(
            Model model,
            Completion completion,
            TokenPrinter printer,
            CacheCounters kv,
            SpeculationCounters speculation,
            long loadNanos) {
        printer.finish();
        if (json) {
            JsonReport.write(console, completion, printer.text(), kv, speculation, loadNanos);
        } else {
            console.answer("\n");
            console.dim(completion.summary(model.config().contextLength()));
        }
        timings.report(console);
        return completion.finishReason() == FinishReason.CANCELLED ? Hotrow.INTERRUPTED : Hotrow.OK;
    }
}
