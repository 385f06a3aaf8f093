/** Reads checkpoints: safetensors, config, tokenizer and chat template. Refuses bad files by name and offset. */
@org.jspecify.annotations.NullMarked
module org.hotrow.modelloader {
    requires static transitive org.jspecify;
    requires tools.jackson.core;

    exports org.hotrow.modelloader;
    exports org.hotrow.modelloader.template;
}
