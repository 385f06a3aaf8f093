package org.hotrow.modelloader;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder of a model. Hands out the files in it and follows no link that leaves it, with one exception: the cache of
 * the Hugging Face hub, where each file of a snapshot is a link into the blobs of the same repository.
 *
 * <pre>
 * models--org--name/blobs/9f2c...                               a file, under its hash
 * models--org--name/snapshots/a1b2.../model.safetensors     ->  ../../blobs/9f2c...
 * </pre>
 *
 * @param path the folder
 */
record ModelFolder(Path path) {
    ModelFolder {
        if (!Files.isDirectory(path)) {
            throw new ModelFormatException(path, "", "is missing or not a folder; expected the folder of a model");
        }
    }

    /**
     * The file {@code name}, if the folder has one.
     *
     * @param name a plain file name
     * @throws ModelFormatException if it is not a regular file or a link that leads out
     */
    Optional<Path> find(String name) {
        Path file = path.resolve(name);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            return Optional.empty();
        }
        if (!Files.isRegularFile(file)) {
            throw new ModelFormatException(file, "", "is not a file, or a link to a file that is missing");
        }
        requireWithin(file);
        return Optional.of(file);
    }

    private void requireWithin(Path file) {
        try {
            Path folder = path.toRealPath();
            Path target = file.toRealPath();
            if (!target.startsWith(folder) && !isBlob(folder, target)) {
                throw new ModelFormatException(
                        file, "", "is a link that leaves the folder of the model; put the file itself there");
            }
        } catch (IOException e) {
            throw new ModelFormatException(
                    file, "", "can't be followed: " + ModelFormatException.quote(e.toString()), e);
        }
    }

    private static boolean isBlob(Path folder, Path target) {
        Path snapshots = folder.getParent();
        return snapshots != null
                && snapshots.endsWith("snapshots")
                && snapshots.resolveSibling("blobs").equals(target.getParent());
    }
}
