package org.hotrow.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.GenerationConfig;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code hotrow generate}: continues one prompt. */
@Command(
        name = "generate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Continues a prompt with a model. Text goes to stdout as it comes; ids if the model has no tokenizer.")
final class GenerateCommand implements Callable<Integer> {
    /** KV row formats that this device runs. */
    enum KvRows {
        fp32(KvDtype.FP32);

        private final KvDtype dtype;

        KvRows(KvDtype dtype) {
            this.dtype = dtype;
        }
    }

    private final Console console;

    @Spec
    private @Nullable CommandSpec spec;

    @Option(names = "--model", required = true, paramLabel = "DIR", description = "folder of the checkpoint")
    private @Nullable Path model;

    @Option(
            names = "--prompt-ids",
            required = true,
            split = ",",
            paramLabel = "ID",
            description = "prompt as token ids: 1,2,3")
    private List<Integer> promptIds = List.of();

    @Option(
            names = "--max-new-tokens",
            defaultValue = "256",
            paramLabel = "N",
            description = "most tokens to generate (default ${DEFAULT-VALUE})")
    private int maxNewTokens;

    @Option(
            names = "--temperature",
            paramLabel = "T",
            description = "0 takes the likeliest token; without it generation_config.json decides")
    private @Nullable Double temperature;

    @Option(names = "--top-k", paramLabel = "K", description = "draw from the K likeliest tokens; 0 for all")
    private @Nullable Integer topK;

    @Option(names = "--top-p", paramLabel = "P", description = "draw from the fewest tokens that reach probability P")
    private @Nullable Double topP;

    @Option(
            names = "--seed",
            defaultValue = "0",
            paramLabel = "S",
            description = "of the random numbers: same seed, same text (default ${DEFAULT-VALUE})")
    private long seed;

    @Option(names = "--ignore-eos", description = "go on after the model's stop tokens")
    private boolean ignoreEos;

    @Option(
            names = "--kv-dtype",
            defaultValue = "fp32",
            paramLabel = "TYPE",
            description = "format of cached rows: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private KvRows kvDtype = KvRows.fp32;

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "threads (default: all processors); never changes the text")
    private @Nullable Integer threads;

    @Option(
            names = "--max-batched-tokens",
            defaultValue = "512",
            paramLabel = "N",
            description = "prompt tokens per step (default ${DEFAULT-VALUE}); never changes the text")
    private int maxBatchedTokens;

    @Option(names = "--json", description = "print one JSON object instead of text")
    private boolean json;

    GenerateCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        atLeast("--max-new-tokens", maxNewTokens, 1);
        atLeast("--max-batched-tokens", maxBatchedTokens, 1);
        int team = threads == null ? Runtime.getRuntime().availableProcessors() : threads;
        atLeast("--threads", team, 1);
        if (team > 1024) {
            throw usage("--threads " + team + ": expected at most 1024");
        }
        long start = System.nanoTime();
        try (Interrupt interrupt = new Interrupt();
                Model opened = Model.open(Objects.requireNonNull(model))) {
            Sampling sampling = sampling(opened.generation());
            int[] prompt = prompt(opened);
            TokenPrinter printer = json ? TokenPrinter.silent(opened) : TokenPrinter.to(console, opened);
            try (Generator generator = load(opened, team, interrupt)) {
                long loadNanos = System.nanoTime() - start;
                Completion completion =
                        generator.generate(prompt, maxNewTokens, sampling, ignoreEos, printer, interrupt::requested);
                return show(opened, completion, printer, loadNanos);
            } catch (CancellationException whileLoading) {
                return show(opened, Completion.cancelled(prompt), printer, System.nanoTime() - start);
            }
        }
    }

    /** Throws a CancellationException when interrupted. */
    private Generator load(Model opened, int team, Interrupt interrupt) {
        try (LoadingBar bar = new LoadingBar(console)) {
            return new Generator(opened, kvDtype.dtype, team, maxBatchedTokens, (loaded, total) -> {
                if (interrupt.requested()) {
                    throw new CancellationException();
                }
                bar.loaded(loaded, total);
            });
        }
    }

    private int show(Model opened, Completion completion, TokenPrinter printer, long loadNanos) {
        printer.finish();
        if (json) {
            JsonReport.write(console, completion, printer.text(), loadNanos);
        } else {
            console.dim(completion.summary(opened.config().contextLength()));
        }
        return completion.finishReason() == FinishReason.CANCELLED ? Hotrow.INTERRUPTED : Hotrow.OK;
    }

    /** Flags over the file, which alone decides whether to sample where there is no --temperature. */
    private Sampling sampling(GenerationConfig file) {
        double fileTemperature = file.doSample() ? file.temperature() : 0;
        try {
            return new Sampling(
                    temperature != null ? temperature : fileTemperature,
                    topK != null ? topK : file.topK(),
                    topP != null ? topP : file.topP(),
                    seed);
        } catch (IllegalArgumentException e) {
            throw usage(e.getMessage());
        }
    }

    private int[] prompt(Model opened) {
        int[] prompt = promptIds.stream().mapToInt(Integer::intValue).toArray();
        try {
            Generator.check(prompt, opened.config());
        } catch (IllegalArgumentException e) {
            throw usage("--prompt-ids: " + e.getMessage());
        }
        return prompt;
    }

    private void atLeast(String flag, int value, int least) {
        if (value < least) {
            throw usage(flag + " " + value + ": expected " + least + " or more");
        }
    }

    private ParameterException usage(@Nullable String message) {
        return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
    }
}
