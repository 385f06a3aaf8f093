package org.hotrow.engine;

import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hotrow export}: computes a prompt and writes its rows and index keys to a file. */
@Command(
        name = "export",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Computes a prompt and writes what the cache has of it to a safetensors file: tokens, rows, index keys.",
            "generate --import takes it into another engine, which then computes only the prompt's last token."
        })
final class ExportCommand implements Callable<Integer> {
    private final Console console;

    @ArgGroup(multiplicity = "1")
    private PromptOptions prompt = new PromptOptions();

    @Mixin
    private RenderOptions renderOptions = new RenderOptions();

    @Option(
            names = "--out",
            required = true,
            paramLabel = "FILE",
            description = "file to write; one that is there is replaced once all is written")
    private @Nullable Path out;

    @Mixin
    private ModelOptions modelOptions = new ModelOptions();

    @Mixin
    private Timings timings;

    ExportCommand(Console console, Timings timings) {
        this.console = console;
        this.timings = timings;
    }

    @Override
    public Integer call() {
        Path file = Objects.requireNonNull(out);
        timings.end("command line");
        renderOptions.check(prompt);
        PrefillWriter.requireWritable(file);
        try (Interrupt interrupt = new Interrupt();
                Model model = modelOptions.open()) {
            timings.end("model opened");
            int[] ids = renderOptions.promptIds(prompt, model);
            PromptIds.check(prompt.flag() + ": ", ids, model.config());
            modelOptions.requireRoom(model, ids.length);
            timings.end("prompt encoded");
            try (Generator generator = modelOptions.load(model, ids.length, 1, console, interrupt::requested)) {
                timings.end("weights loaded");
                if (!generator.export(ids, file, interrupt::requested)) {
                    return Hotrow.INTERRUPTED;
                }
                timings.end("exported");
            } catch (CancellationException whileLoading) {
                return Hotrow.INTERRUPTED;
            }
            console.dim("prompt " + ids.length + " tok · " + file);
        }
        timings.report(console);
        return Hotrow.OK;
    }
}
