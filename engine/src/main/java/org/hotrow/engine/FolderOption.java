package org.hotrow.engine;

import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flag that names the model's folder. */
final class FolderOption {
    @Option(
            names = "--model",
            defaultValue = "${sys:hotrow.model}",
            required = true,
            paramLabel = "DIR",
            description = "folder of the model (default: the demo model)")
    private @Nullable Path model;

    Path folder() {
        return Objects.requireNonNull(model);
    }
}
