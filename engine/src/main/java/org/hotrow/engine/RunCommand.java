package org.hotrow.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.template.TemplateException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hotrow run}: many requests from a file, as many at once as there is room for. */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Runs the requests of a file, one JSON object a line:",
            "  id                                 its name, required",
            "  prompt | prompt_ids | messages     one of them; a prompt is a message of the user, or goes on as it is"
                    + " if the model has no chat template",
            "  session                            requests of one session run in order, each after all tokens before"
                    + " it; messages may repeat the session's messages so far",
            "  arrival_ms                         when it comes, after the run's start (default 0)",
            "  max_new_tokens, temperature, seed, ignore_eos     what a line doesn't say, the flags decide",
            "Each result is one JSON line, in the order of their ends; a summary is the last. A line that is wrong"
                    + " fails alone. Times are from the request's arrival, which in a session is not before the end of"
                    + " the one before.",
            "Exit code 0 if all requests were answered, 1 if one or more failed, 130 if interrupted."
        })
final class RunCommand implements Callable<Integer> {
    private static final int MAX_SEQS = 4096;

    private final Console console;

    @Option(names = "--requests", required = true, paramLabel = "FILE", description = "requests; - reads stdin")
    private @Nullable Path requests;

    @Option(names = "--out", paramLabel = "FILE", description = "where results go (default: stdout)")
    private @Nullable Path out;

    @Option(
            names = "--import",
            paramLabel = "FILE",
            description = "file of hotrow export; requests that begin with its tokens take them from it")
    private @Nullable Path importFile;

    @Option(
            names = "--max-seqs",
            defaultValue = "16",
            paramLabel = "N",
            description = "most requests that run at once (default ${DEFAULT-VALUE}); never changes the text")
    private int maxSeqs;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private SamplingOptions samplingOptions = new SamplingOptions();

    RunCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        if (maxSeqs < 1 || maxSeqs > MAX_SEQS) {
            throw new RequestException("--max-seqs " + maxSeqs + ": expected 1 to " + MAX_SEQS);
        }
        samplingOptions.stopStrings();
        try (Interrupt interrupt = new Interrupt();
                Model model = modelOptions.open();
                @Nullable
                        PrefillFile prefill = importFile == null ? null : modelOptions.openImport(importFile, model)) {
            samplingOptions.sampling(model.generation());
            RequestFile file = RequestFile.read(Objects.requireNonNull(requests), console.in(), model.config());
            requireOtherFile();
            try (ResultLines lines = ResultLines.to(out, console)) {
                return run(model, file, Optional.ofNullable(prefill), lines, interrupt);
            }
        }
    }

    /** The requests would be gone before anybody has their results. */
    private void requireOtherFile() {
        Path from = Objects.requireNonNull(requests);
        try {
            if (out != null && Files.exists(out)) {
                if (!RequestFile.isStdin(from) && Files.isSameFile(out, from)) {
                    throw new RequestException("--out " + out + ": is the file of requests");
                }
                if (importFile != null && Files.isSameFile(out, importFile)) {
                    throw new RequestException("--out " + out + ": is the file of --import");
                }
            }
        } catch (IOException e) {
            throw new RequestException("--out " + out + ": can't be written: " + e, e);
        }
    }

    private int run(
            Model model, RequestFile file, Optional<PrefillFile> prefill, ResultLines lines, Interrupt interrupt) {
        int seats = Math.clamp(RequestRun.sessions(file.requests()).size(), 1, maxSeqs);
        try (Generator generator =
                modelOptions.load(model, longest(model, file.requests()), seats, console, interrupt::requested)) {
            long start = System.nanoTime();
            RunSummary summary = new RunSummary(start);
            Consumer<RunResult> results = result -> lines.write(JsonReport.line(result::write));
            for (RunResult refused : file.refused()) {
                summary.add(refused);
                results.accept(refused);
            }
            int total = file.refused().size() + file.requests().size();
            RunBar bar = new RunBar(console, total, start);
            new RequestRun(model, generator, prefill, samplingOptions, results, summary, bar, start)
                    .run(file.requests(), interrupt::requested);
            lines.write(JsonReport.line(
                    json -> summary.write(json, generator.counters(), generator.speculation(), System.nanoTime())));
            if (interrupt.requested()) {
                return Hotrow.INTERRUPTED;
            }
            return summary.count(FinishReason.ERROR) == 0 ? Hotrow.OK : Hotrow.RUN_TIME_ERROR;
        } catch (CancellationException whileLoading) {
            return Hotrow.INTERRUPTED;
        }
    }

    /**
     * Most tokens of a request, generated ones included: those of all lines of its session. A turn has no more tokens
     * beside those before it than alone, unless a template renders them in another way later.
     */
    private int longest(Model model, List<RequestLine> lines) {
        long longest = 1;
        for (List<RequestLine> session : RequestRun.sessions(lines)) {
            long tokens = 0;
            for (RequestLine line : session) {
                tokens += (long) alone(model, line) + line.maxNewTokens().orElse(samplingOptions.maxNewTokens());
            }
            longest = Math.max(longest, tokens);
        }
        return (int) Math.min(longest, model.config().contextLength());
    }

    private static int alone(Model model, RequestLine line) {
        try {
            return line.prompt()
                    .tokens(new Session(model.text(), model.generation().eosIds()))
                    .length;
        } catch (RequestException | TemplateException | ModelFormatException e) {
            // Its result says so when its turn comes.
            return 0;
        }
    }
}
