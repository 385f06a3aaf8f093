package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open tensors of a checkpoint: the shards that {@code model.safetensors.index.json} lists, or else the one file
 * {@code model.safetensors}.
 *
 * <p>Index and shards must agree exactly: each tensor lies in the one shard that the index promises, no shard holds a
 * tensor that the index does not list, and the total size, if given, is the sum. Files that the index does not list
 * are not opened. A link is followed only within the folder or from a snapshot of a hub cache into the
 * blobs of the same repository.
 */
public final class TensorStore implements TensorSource, AutoCloseable {
    private static final String INDEX = "model.safetensors.index.json";
    private static final String SINGLE = "model.safetensors";

    private final Path file;
    private final List<SafetensorsFile> shards;
    private final Map<String, TensorView> tensors;

    private TensorStore(Path file, List<SafetensorsFile> shards, Map<String, TensorView> tensors) {
        this.file = file;
        this.shards = List.copyOf(shards);
        this.tensors = Collections.unmodifiableMap(tensors);
    }

    /**
     * Opens the checkpoint in a folder.
     *
     * @throws ModelFormatException if there is none, or one of its files breaks a rule or contradicts the index; all
     *     files are closed then
     */
    public static TensorStore open(Path folder) {
        var model = new ModelFolder(folder);
        Optional<Path> index = model.find(INDEX);
        if (index.isPresent()) {
            return openShards(model, ShardIndex.read(index.get()));
        }
        Path single = model.find(SINGLE)
                .orElseThrow(() -> new ModelFormatException(
                        folder, "", "has neither " + INDEX + " nor " + SINGLE + "; expected a safetensors checkpoint"));
        SafetensorsFile file = SafetensorsFile.open(single);
        return new TensorStore(single, List.of(file), file.tensors());
    }

    private static TensorStore openShards(ModelFolder model, ShardIndex index) {
        var shards = new ArrayList<SafetensorsFile>();
        var tensors = new LinkedHashMap<String, TensorView>();
        try {
            for (String name : index.shards()) {
                Path file = model.find(name)
                        .orElseThrow(() -> new ModelFormatException(
                                index.file(), "weight_map", "shard " + name + " is missing; download it"));
                SafetensorsFile shard = SafetensorsFile.open(file);
                shards.add(shard);
                addTensors(tensors, index, name, shard);
            }
            requireComplete(tensors, index);
            return new TensorStore(index.file(), shards, tensors);
        } catch (RuntimeException | Error e) {
            shards.forEach(SafetensorsFile::close);
            throw e;
        }
    }

    private static void addTensors(
            Map<String, TensorView> tensors, ShardIndex index, String shardName, SafetensorsFile shard) {
        for (TensorView tensor : shard.tensors().values()) {
            String where = TensorView.where(tensor.name());
            TensorView other = tensors.putIfAbsent(tensor.name(), tensor);
            if (other != null) {
                throw new ModelFormatException(
                        shard.file(), where, "is also in " + other.file().getFileName());
            }
            String promised = index.shardOf().get(tensor.name());
            if (!shardName.equals(promised)) {
                String expected = promised == null ? "in no shard" : "in " + promised;
                throw new ModelFormatException(shard.file(), where, "is here, but " + INDEX + " has it " + expected);
            }
        }
    }

    private static void requireComplete(Map<String, TensorView> tensors, ShardIndex index) {
        index.shardOf().forEach((tensor, shard) -> {
            if (!tensors.containsKey(tensor)) {
                throw new ModelFormatException(
                        index.file(), TensorView.where(tensor), "is promised in " + shard + ", but no shard has it");
            }
        });
        long bytes = sum(tensors);
        index.totalSize().ifPresent(total -> {
            if (total != bytes) {
                throw new ModelFormatException(
                        index.file(),
                        "metadata.total_size",
                        String.format("is %.0f, but the tensors have %d bytes", total, bytes));
            }
        });
    }

    private static long sum(Map<String, TensorView> tensors) {
        return tensors.values().stream()
                .mapToLong(tensor -> tensor.data().byteSize())
                .sum();
    }

    @Override
    public Path file() {
        return file;
    }

    /** The names of all tensors, in the order of the files and of their headers. */
    @Override
    public Set<String> names() {
        return tensors.keySet();
    }

    /** The tensor of that name; valid until this store is closed. */
    @Override
    public Optional<TensorView> find(String name) {
        return Optional.ofNullable(tensors.get(name));
    }

    /** Bytes of all tensors. */
    public long bytes() {
        return sum(tensors);
    }

    /** The files of the checkpoint, sorted by name. */
    public List<Path> files() {
        return shards.stream().map(SafetensorsFile::file).toList();
    }

    /** Unmaps all files. Later access to their tensors throws {@link IllegalStateException}. */
    @Override
    public void close() {
        shards.forEach(SafetensorsFile::close);
    }
}
