/** Checkpoint reading: safetensors, config, tokenizer and chat template. */
@NullMarked
package org.hotrow.modelloader;

import org.jspecify.annotations.NullMarked;
