package org.hotrow.modelloader;

/**
 * A dimension of an expected tensor.
 *
 * @param size elements
 * @param origin the config fields that it comes from, for error messages
 */
record Dim(int size, String origin) {
    static Dim vocab(ModelConfig config) {
        return new Dim(config.vocabSize(), "vocab_size");
    }

    static Dim hidden(ModelConfig config) {
        return new Dim(config.hiddenSize(), "hidden_size");
    }

    static Dim queryRank(ModelConfig config) {
        return new Dim(config.attention().queryRank(), "q_lora_rank");
    }
}
