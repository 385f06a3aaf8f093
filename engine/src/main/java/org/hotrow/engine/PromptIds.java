package org.hotrow.engine;

import org.hotrow.modelloader.ModelConfig;

/** The ids that a model takes as a prompt: 1 or more, fewer than its context, all in its vocabulary. */
final class PromptIds {
    private PromptIds() {}

    /**
     * Refuses a prompt that the model can't take.
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
}
