package org.hotrow.engine;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The prompt: text, a file of text, or ids. Exactly one of them. */
final class PromptOptions {
    @Option(names = "--prompt", required = true, paramLabel = "TEXT", description = "prompt as text")
    private @Nullable String text;

    @Option(names = "--prompt-file", required = true, paramLabel = "FILE", description = "file with the prompt, UTF-8")
    private @Nullable Path file;

    @Option(
            names = "--prompt-ids",
            required = true,
            split = ",",
            paramLabel = "ID",
            description = "prompt as token ids: 1,2,3")
    private @Nullable List<Integer> ids;

    /** The ids, if the prompt was given so; they are neither rendered nor tokenised. */
    int @Nullable [] ids() {
        return ids == null ? null : ids.stream().mapToInt(Integer::intValue).toArray();
    }

    /** The text, if the prompt was not given as ids. */
    String text() {
        return text != null ? text : TextFile.read(Objects.requireNonNull(file));
    }

    /** Whether one of them was given. */
    boolean given() {
        return text != null || file != null || ids != null;
    }

    /** The flag that was given. */
    String flag() {
        return ids != null ? "--prompt-ids" : text != null ? "--prompt" : "--prompt-file";
    }
}
