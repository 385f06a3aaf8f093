package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelFormatException;

/**
 * Generates on the CPU, one request after another: prefill in chunks, then one token per step.
 *
 * <pre>
 * prompt -> chunks of at most maxRows -> logits of the last token -> sample -> step -> ... -> stop id, limit or cancel
 * </pre>
 */
public final class Generator implements AutoCloseable {
    private final Model model;
    private final Workers workers;
    private final CpuWeights weights;
    private final KvDtype kvDtype;
    private final Lanes lanes;
    private final int maxRows;

    /**
     * Loads the weights.
     *
     * @param kvDtype format of the cached rows and index keys
     * @param lanes the inner loops; the result doesn't depend on them
     * @param threads that share each operation; the result doesn't depend on it
     * @param maxRows tokens of one prefill step; the result doesn't depend on it
     * @throws ModelFormatException if a cache of this model can't be laid out, or its files change under way
     * @throws EngineException if the weights are larger than the machine's memory
     */
    public Generator(Model model, KvDtype kvDtype, Lanes lanes, int threads, int maxRows, LoadProgress progress) {
        requireLayout(model, kvDtype);
        this.model = model;
        this.kvDtype = kvDtype;
        this.lanes = lanes;
        this.maxRows = maxRows;
        weights = CpuWeights.load(model.config(), model.weights(), progress);
        workers = new Workers(threads);
    }

    /** Refuses, before any weight is read, a model whose rows or index pages have no place in a block. */
    private static void requireLayout(Model model, KvDtype kvDtype) {
        try {
            CpuSession.layout(model.config(), kvDtype, 1);
        } catch (IllegalArgumentException e) {
            throw new ModelFormatException(
                    model.configFile(),
                    "kv_lora_rank, qk_rope_head_dim, index_head_dim",
                    "no " + kvDtype + " cache has this shape: " + e.getMessage(),
                    e);
        }
    }

    /**
     * Continues a prompt.
     *
     * @param prompt at least one id, all below the vocabulary size, fewer than the context takes
     * @param limit most tokens to generate; the context may end it before
     * @param ignoreStop goes on after stop ids
     * @param listener hears each id as it comes, and may end the text
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
        check("", prompt, model.config());
        int capacity = (int) Math.min(model.config().contextLength(), (long) prompt.length + limit);
        try (CpuSession session = new CpuSession(
                model.config(),
                model.weights(),
                weights,
                workers,
                lanes,
                kvDtype,
                capacity,
                Math.min(maxRows, prompt.length),
                false,
                WalkProbe.NONE)) {
            return run(
                    session,
                    prompt,
                    capacity,
                    new Sampler(sampling, prompt, model.candidates()),
                    ignoreStop,
                    listener,
                    cancelled);
        }
    }

    private Completion run(
            CpuSession session,
            int[] prompt,
            int capacity,
            Sampler sampler,
            boolean ignoreStop,
            TokenListener listener,
            BooleanSupplier cancelled) {
        long start = System.nanoTime();
        List<Integer> output = new ArrayList<>();
        for (int at = 0; at < prompt.length && !cancelled.getAsBoolean(); at += maxRows) {
            session.step(prompt, at, Math.min(maxRows, prompt.length - at));
        }
        long prefilled = System.nanoTime();
        long first = prefilled;
        FinishReason reason = FinishReason.LENGTH;
        while (prompt.length + output.size() < capacity) {
            if (cancelled.getAsBoolean()) {
                reason = FinishReason.CANCELLED;
                break;
            }
            if (!output.isEmpty()) {
                session.step(new int[] {output.getLast()}, 0, 1);
            }
            int id = sampler.next(session.logits().data(), session.logits().at(0));
            output.add(id);
            if (output.size() == 1) {
                first = System.nanoTime();
            }
            if (!listener.accept(id)) {
                reason = FinishReason.STOP;
                break;
            }
            if (!ignoreStop && model.generation().eosIds().contains(id)) {
                reason = FinishReason.STOP;
                break;
            }
        }
        long end = System.nanoTime();
        List<Integer> promptIds = Arrays.stream(prompt).boxed().toList();
        return new Completion(promptIds, output, reason, first - start, prefilled - start, end - first);
    }

    /**
     * Refuses, a prompt that the model can't take.
     *
     * @param source what messages begin with
     */
    static void check(String source, int[] prompt, ModelConfig config) {
        if (prompt.length == 0) {
            throw new RequestException(source + "the prompt is empty, expected at least one token");
        }
        int context = config.contextLength();
        if (prompt.length >= context) {
            throw new RequestException(source + "the prompt has " + prompt.length
                    + " tokens and the model's context " + context + " (max_position_embeddings): shorten the prompt to"
                    + " at most " + (context - 1));
        }
        for (int id : prompt) {
            if (id < 0 || id >= config.vocabSize()) {
                throw new RequestException(
                        source + "prompt id " + id + " is not in the vocabulary of 0 to " + (config.vocabSize() - 1));
            }
        }
    }

    @Override
    public void close() {
        workers.close();
        weights.close();
    }
}
