package org.hotrow.engine;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.function.Supplier;
import org.hotrow.allocator.Import;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvRequest;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.modelloader.ModelFormatException;

/**
 * A loaded model on a device, and the scheduler of its requests. What requests have in common with earlier ones, in whole
 * pages from the first token on, is taken from the host pool.
 *
 * <pre>
 * prompt -> chunks -> logits of the last token -> sample -> step -> ... -> stop id, limit or cancel
 * </pre>
 */
public final class Generator implements AutoCloseable {
    private final Model model;
    private final Devices devices;
    private final CacheFormat format;
    private final int maxTokens;
    private final int maxSeqs;
    private final int maxRows;
    private final BitSet stopIds = new BitSet();
    private final BitSet candidates;
    /** Whether the MTP layer's weights are loaded. */
    private final boolean drafter;

    private CacheConfig cacheConfig;
    private ModelDevice device;
    private Scheduler scheduler;

    /**
     * Loads the weights.
     *
     * @param format of the cached rows and index keys
     * @param cache its size and policy; the result doesn't depend on them
     * @param maxTokens tokens of the longest request, generated ones included
     * @param maxSeqs requests that run at once; no result depends on it
     * @param lanes the inner loops; the result doesn't depend on them
     * @param threads that share each operation; the result doesn't depend on it
     * @param maxRows tokens of one step; the result doesn't depend on it
     * @throws RequestException if the model has no such cache, but another one
     * @throws ModelFormatException if no cache of this model can be laid out, or its files change under way
     * @throws EngineException if the weights are larger than the machine's memory
     */
    public Generator(
            Model model,
            CacheFormat format,
            CacheOptions cache,
            int maxTokens,
            int maxSeqs,
            Lanes lanes,
            int threads,
            int maxRows,
            LoadProgress progress) {
        this(
                model,
                format,
                cache,
                maxTokens,
                maxSeqs,
                maxRows,
                () -> new CpuDevices(model, format, lanes, threads, cache.drafts() > 0, progress));
    }

    /**
     * The same where task graphs run: on the emulator, whose tokens take seconds, or on the device of TornadoVM.
     *
     * @throws DeviceException if there is none, or it has no such cache
     */
    static Generator ofGraphs(
            Devices.Maker device,
            Model model,
            CacheFormat format,
            CacheOptions cache,
            int maxTokens,
            int maxSeqs,
            int maxRows,
            LoadProgress progress) {
        return new Generator(
                model, format, cache, maxTokens, maxSeqs, maxRows, () -> device.of(model, format, progress));
    }

    private Generator(
            Model model,
            CacheFormat format,
            CacheOptions cache,
            int maxTokens,
            int maxSeqs,
            int maxRows,
            Supplier<Devices> opened) {
        CacheConfig.requireLayout(model, format);
        CacheConfig.requireDrafter(model, cache.drafts());
        this.maxTokens = Math.min(maxTokens, model.config().contextLength());
        this.maxSeqs = maxSeqs;
        cacheConfig = cache.resolve(model.config(), format, this.maxTokens, maxSeqs);
        drafter = cacheConfig.drafting();
        this.model = model;
        this.format = format;
        this.maxRows = maxRows;
        model.generation().eosIds().forEach(stopIds::set);
        candidates = model.candidates();
        devices = opened.get();
        try {
            device = devices.device(cacheConfig, largestStep(cacheConfig), false);
        } catch (RuntimeException | Error e) {
            devices.close();
            throw e;
        }
        scheduler = scheduler(device);
    }

    private int largestStep(CacheConfig config) {
        return (int) Math.min(maxRows, (long) config.maxTokens() * maxSeqs);
    }

    private Scheduler scheduler(ModelDevice of) {
        KvCache cache = of.cache();
        return new Scheduler(cache.allocator(), of, maxSeqs, of.maxRows(), cache.drafts(), System::nanoTime);
    }

    /**
     * Replaces the cache by an empty one, while no request runs. If there can't be such a cache, there is an empty one as
     * before.
     *
     * @throws RequestException if a value can't be, naming its flag
     * @throws EngineException if the machine or Java hasn't the memory
     */
    public void use(CacheOptions options) {
        if (options.drafts() < 0 || options.drafts() > (drafter ? CacheOptions.MOST_DRAFTS : 0)) {
            throw new RequestException("--speculative-tokens " + options.drafts() + ": expected 0"
                    + (drafter
                            ? " to " + CacheOptions.MOST_DRAFTS
                            : ", because the MTP layer's weights are not loaded: they are if it is more than 0 from"
                                    + " the start"));
        }
        CacheConfig next = options.resolve(model.config(), format, maxTokens, maxSeqs);
        devices.require(next, largestStep(next), false);
        CacheConfig before = cacheConfig;
        device.close();
        try {
            open(next);
        } catch (OutOfMemoryError e) {
            open(before);
            throw new EngineException("no memory for this cache: " + e.getMessage());
        } catch (RuntimeException | Error e) {
            open(before);
            throw e;
        }
    }

    private void open(CacheConfig config) {
        device = devices.device(config, largestStep(config), false);
        scheduler = scheduler(device);
        cacheConfig = config;
    }

    /** Where everything of a request is, while it has a seat. The scheduler's thread may ask. */
    public Optional<KvSnapshot> snapshot(Sequence sequence) {
        return sequence.opened()
                .flatMap(KvRequest::residency)
                .map(residency -> KvSnapshot.of(
                        residency, device.cache().allocator(), device.cache().geometry(), counters()));
    }

    /** The cache as it is, and the format of what it holds. */
    public CacheReport cacheReport() {
        KvGeometry geometry = device.cache().geometry();
        return new CacheReport(
                cacheConfig.policy(),
                format,
                geometry.blocks(),
                geometry.bytes(),
                cacheConfig.hotRows(),
                cacheConfig.hostPages(),
                cacheConfig.hostPages() * geometry.hostPageBytes());
    }

    /** What the device's own memory holds, a line for each use; none if it computes in this process. */
    public List<String> deviceMemory() {
        return devices.memory();
    }

    /** Bytes of the weights that are loaded, as they are in the files. */
    public long weightBytes() {
        return model.weights().bytes(drafter);
    }

    /** What guesses were worth so far. */
    public SpeculationCounters speculation() {
        return device.counters(scheduler.speculation());
    }

    /** What the cache has done so far. */
    public CacheCounters counters() {
        return device.counters();
    }

    /**
     * Continues a prompt, when {@link #scheduler} gets to it. Any thread may.
     *
     * @param prompt at least one id, all below the vocabulary size, fewer than the context takes
     * @param limit most tokens to generate; the context may end it before
     * @param ignoreStop goes on after stop ids
     * @param listener hears each id as it comes, and may end the text
     * @throws RequestException if the prompt is empty, too long or has an id outside of the vocabulary
     */
    public Sequence submit(int[] prompt, int limit, Sampling sampling, boolean ignoreStop, TokenListener listener) {
        return submit(prompt, Optional.empty(), limit, sampling, ignoreStop, listener);
    }

    /**
     * Continues a prompt whose first tokens have rows elsewhere; none of the results depends on that.
     *
     * @param imported what {@link PrefillFile#of} has for the prompt, in the format of this cache
     * @throws RequestException as the other, or if this cache has drafts and the import's was opened without, or the other
     *     way round
     */
    public Sequence submit(
            int[] prompt,
            Optional<Import> imported,
            int limit,
            Sampling sampling,
            boolean ignoreStop,
            TokenListener listener) {
        PromptIds.check("", prompt, model.config());
        imported.ifPresent(rows -> PrefillFile.requireLayers(rows, cacheConfig.drafting()));
        int capacity = (int) Math.min(model.config().contextLength(), (long) prompt.length + limit);
        Sampler sampler = new Sampler(sampling, prompt, candidates);
        IntPredicate stop = ignoreStop ? id -> false : stopIds::get;
        Sequence sequence = new Sequence(prompt, capacity, stop, sampler::next, listener, imported);
        scheduler.submit(sequence);
        return sequence;
    }

    /** What computes the submitted requests, if one thread calls its {@code step}. */
    public Scheduler scheduler() {
        return scheduler;
    }

    /**
     * Continues a prompt, alone, as {@link #submit} does: takes steps until it ends.
     *
     * @param cancelled asked before each step
     * @throws RequestException if the prompt is empty, too long or has an id outside of the vocabulary
     * @throws EngineException if the cache is larger than the machine's memory, or the logits are not finite
     */
    public Completion generate(
            int[] prompt,
            int limit,
            Sampling sampling,
            boolean ignoreStop,
            TokenListener listener,
            BooleanSupplier cancelled) {
        return generate(prompt, Optional.empty(), limit, sampling, ignoreStop, listener, cancelled);
    }

    /** The same, with rows of the prompt's first tokens from elsewhere. */
    public Completion generate(
            int[] prompt,
            Optional<Import> imported,
            int limit,
            Sampling sampling,
            boolean ignoreStop,
            TokenListener listener,
            BooleanSupplier cancelled) {
        return finish(submit(prompt, imported, limit, sampling, ignoreStop, listener), cancelled);
    }

    /**
     * Takes steps until a submitted request ends.
     *
     * @param cancelled asked before each step
     * @throws EngineException if the logits are not finite
     */
    public Completion finish(Sequence sequence, BooleanSupplier cancelled) {
        try {
            while (!sequence.ended()) {
                if (cancelled.getAsBoolean()) {
                    scheduler.cancel(sequence);
                }
                scheduler.step();
            }
        } catch (RuntimeException | Error e) {
            scheduler.cancel(sequence);
            throw e;
        }
        if (sequence.failure().isPresent()) {
            throw told(sequence.failure().get());
        }
        return Completion.of(sequence);
    }

    /**
     * Computes a prompt and writes its rows and index keys to a file, while no other request runs.
     *
     * @param prompt at least one id, all below the vocabulary size, fewer than the context takes
     * @param cancelled asked before each step
     * @return whether the file is written; false if it was cancelled before
     * @throws RequestException if the prompt is empty, too long or has an id outside of the vocabulary
     * @throws EngineException if the file can't be written; one that was there before is as it was
     */
    public boolean export(int[] prompt, Path file, BooleanSupplier cancelled) {
        PromptIds.check("", prompt, model.config());
        try (ModelSession session = device.open(prompt.length)) {
            session.append(prompt, 0, prompt.length);
            while (session.pending() > 0) {
                if (cancelled.getAsBoolean()) {
                    return false;
                }
                session.step(maxRows);
            }
            new PrefillWriter(
                            new PrefillLayout(model, format, cacheConfig.drafting()),
                            device.cache(),
                            session.residency())
                    .write(file, prompt);
            return true;
        } catch (IllegalArgumentException e) {
            throw tooSmall(e);
        }
    }

    /**
     * Refuses a request that the cache could never hold, before any weight is read or memory taken.
     *
     * @param tokens of the request, generated ones included; the context may end it before
     * @throws RequestException with the number of blocks that it needs
     */
    static void requireRoom(Model model, CacheFormat format, CacheOptions cache, int tokens) {
        CacheConfig.requireLayout(model, format);
        CacheConfig.requireDrafter(model, cache.drafts());
        int most = Math.min(tokens, model.config().contextLength());
        try {
            CacheConfig cacheConfig = cache.resolve(model.config(), format, most, 1);
            cacheConfig
                    .allocator(
                            cacheConfig.geometry(model.config(), format),
                            model.config().indexer().topK())
                    .open(new int[1], most);
        } catch (IllegalArgumentException e) {
            throw tooSmall(e);
        }
    }

    /** What failed, as the user is told of it. */
    static RuntimeException told(RuntimeException failure) {
        return failure instanceof IllegalArgumentException tooLong ? tooSmall(tooLong) : failure;
    }

    private static RequestException tooSmall(IllegalArgumentException e) {
        return new RequestException("the cache is too small: " + e.getMessage()
                + " (--kv-blocks, --host-pool-mib, --device-buffer-size; or lower --max-new-tokens)");
    }

    /**
     * The likeliest token after each token of a text, given all before it: what greedy generation would say there.
     *
     * @param text at least one id, all below the vocabulary size, fewer than the context takes
     * @throws RequestException if the text is empty, too long or has an id outside of the vocabulary
     * @throws EngineException if the cache is larger than the machine's memory, or the logits are not finite
     */
    public int[] likeliest(int[] text) {
        PromptIds.check("", text, model.config());
        Sampler greedy = new Sampler(Sampling.GREEDY, text, model.candidates());
        int[] tokens = new int[text.length];
        CacheConfig resident = CacheConfig.resident(model.config(), format, text.length);
        int largestStep = Math.min(maxRows, text.length);
        try (ModelDevice every = devices.device(resident, largestStep, true);
                ModelSession session = every.open(text.length)) {
            for (int at = 0; at < text.length; at += maxRows) {
                int rows = Math.min(maxRows, text.length - at);
                session.step(text, at, rows);
                for (int row = 0; row < rows; row++) {
                    tokens[at + row] = greedy.next(
                            session.logits().data(), session.logits().at(row));
                }
            }
        }
        return tokens;
    }

    @Override
    public void close() {
        device.close();
        devices.close();
    }
}
