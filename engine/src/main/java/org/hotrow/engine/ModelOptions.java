package org.hotrow.engine;

import java.nio.file.Path;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.engine.lanes.LanesChoice;
import org.hotrow.kernels.KvDtype;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Flags that say which model runs, and how. */
public final class ModelOptions {
    private static final int MAX_THREADS = 1024;

    /** The words for number formats. */
    enum Dtype {
        fp8(KvDtype.FP8),
        bf16(KvDtype.BF16),
        fp32(KvDtype.FP32);

        private final KvDtype kv;

        Dtype(KvDtype kv) {
            this.kv = kv;
        }
    }

    /** The words for devices. */
    enum Device {
        cpu,
        emulated,
        tornado
    }

    @Mixin
    private FolderOption folder = new FolderOption();

    @Option(
            names = "--kv-dtype",
            defaultValue = "fp8",
            paramLabel = "TYPE",
            description = "format of cached rows: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private Dtype kvDtype = Dtype.fp8;

    @Option(
            names = "--index-dtype",
            paramLabel = "TYPE",
            description = "format of cached index keys: ${COMPLETION-CANDIDATES} (default: that of --kv-dtype)")
    private @Nullable Dtype indexDtype;

    @Mixin
    private CacheFlags cacheFlags = new CacheFlags();

    @Option(
            names = "--device",
            defaultValue = "cpu",
            paramLabel = "DEVICE",
            description = "what computes: cpu; emulated, the GPU's kernels on the JVM, seconds a token; tornado, a GPU"
                    + " (default ${DEFAULT-VALUE})")
    private Device device = Device.cpu;

    @Option(
            names = "--print-kernel",
            paramLabel = "NAME",
            description = "with --device tornado, print to stderr the source that is generated of a kernel, such as"
                    + " fp8-linear")
    private @Nullable String printKernel;

    @Option(
            names = "--vector",
            defaultValue = "auto",
            paramLabel = "MODE",
            description =
                    "inner loops by the Vector API: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE}); never changes"
                            + " the text")
    private LanesChoice.Mode vector = LanesChoice.Mode.auto;

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

    /** Flags that picocli fills. */
    public ModelOptions() {}

    /** Checks the flags, then opens the model. */
    public Model open() {
        if (maxBatchedTokens < 1) {
            throw new RequestException("--max-batched-tokens " + maxBatchedTokens + ": expected 1 or more");
        }
        if (threads() < 1 || threads() > MAX_THREADS) {
            throw new RequestException("--threads " + threads() + ": expected 1 to " + MAX_THREADS);
        }
        requirePrintable();
        if (device == Device.tornado) {
            GraphDevices.requireTornado();
        }
        return Model.open(folder.folder());
    }

    private void requirePrintable() {
        if (printKernel == null) {
            return;
        }
        KernelSource.requireKnown(printKernel);
        String java = KernelSource.java(printKernel);
        switch (device) {
            case cpu ->
                throw new RequestException("--print-kernel " + printKernel + ": --device cpu runs no kernels; pass"
                        + " --device tornado, or read " + java);
            case emulated ->
                throw new RequestException("--print-kernel " + printKernel + ": --device emulated generates no source,"
                        + " it runs the Java: read " + java + ", or pass --device tornado");
            case tornado -> {}
        }
    }

    /**
     * Refuses a request of up to so many tokens that the cache could never hold.
     *
     * @throws RequestException with the number of blocks that it needs
     */
    void requireRoom(Model opened, int tokens) {
        Generator.requireRoom(opened, cacheFormat(), cacheFlags.options(), tokens);
    }

    /**
     * Loads the weights, with a bar on a terminal.
     *
     * @param maxTokens tokens of the longest request
     * @param maxSeqs requests that run at once
     * @param stopped whether to give up, asked now and then
     * @throws CancellationException when stopped
     */
    public Generator load(Model opened, int maxTokens, int maxSeqs, Console console, BooleanSupplier stopped) {
        CacheOptions cache = cacheFlags.options();
        Lanes lanes = device == Device.cpu ? lanes(console) : Lanes.plain();
        try (LoadingBar bar = new LoadingBar(console)) {
            LoadProgress progress = (loaded, total) -> {
                if (stopped.getAsBoolean()) {
                    throw new CancellationException();
                }
                bar.loaded(loaded, total);
            };
            return switch (device) {
                case cpu ->
                    new Generator(
                            opened,
                            cacheFormat(),
                            cache,
                            maxTokens,
                            maxSeqs,
                            lanes,
                            threads(),
                            maxBatchedTokens,
                            progress);
                case emulated ->
                    Generator.ofGraphs(
                            telling(GraphDevices::emulated, console),
                            opened,
                            cacheFormat(),
                            cache,
                            maxTokens,
                            maxSeqs,
                            maxBatchedTokens,
                            progress);
                case tornado ->
                    Generator.ofGraphs(
                            telling(GraphDevices::tornado, console),
                            opened,
                            cacheFormat(),
                            cache,
                            maxTokens,
                            maxSeqs,
                            maxBatchedTokens,
                            progress);
            };
        }
    }

    /** Says what computes. */
    private GraphDevices.Maker telling(GraphDevices.Maker maker, Console console) {
        return (opened, format, progress) -> {
            GraphDevices devices = maker.of(opened, format, progress);
            console.dim(device + ", " + devices.description());
            if (printKernel != null) {
                devices.printSource(printKernel, console.err());
            }
            return devices;
        };
    }

    /**
     * Opens a finished prefill for requests of this model.
     *
     * @throws RequestException if it is broken, or of another model or format
     */
    PrefillFile openImport(Path file, Model opened) {
        int drafts = cacheFlags.options().drafts();
        CacheConfig.requireDrafter(opened, drafts);
        return PrefillFile.open(file, opened, cacheFormat(), drafts > 0);
    }

    /** The folder of the model. */
    public Path folder() {
        return folder.folder();
    }

    /** What the flags say of the cache. */
    public CacheOptions cacheOptions() {
        return cacheFlags.options();
    }

    /** Threads that share each operation. */
    public int threads() {
        return threads == null ? Runtime.getRuntime().availableProcessors() : threads;
    }

    /** Most prompt tokens of a step. */
    public int maxBatchedTokens() {
        return maxBatchedTokens;
    }

    private CacheFormat cacheFormat() {
        return new CacheFormat(kvDtype.kv, indexDtype == null ? kvDtype.kv : indexDtype.kv);
    }

    private Lanes lanes(Console console) {
        try {
            LanesChoice choice = LanesChoice.of(vector);
            if (console.terminal() || choice.degraded()) {
                console.dim("cpu, " + threads() + " threads, " + choice.reason());
            }
            return choice.lanes();
        } catch (IllegalArgumentException e) {
            throw new RequestException("--vector " + vector + ": " + e.getMessage());
        }
    }
}
