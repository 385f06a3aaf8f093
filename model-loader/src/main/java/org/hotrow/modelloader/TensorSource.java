package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/** The named tensors of a checkpoint. */
public interface TensorSource {
    /** Names of all tensors. */
    Set<String> names();

    /** The tensor of that name, empty if there is none. */
    Optional<TensorView> find(String name);

    /** The file that lists the tensors: what an error about an absent one names. */
    Path file();
}
