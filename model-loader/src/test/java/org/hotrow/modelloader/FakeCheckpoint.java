package org.hotrow.modelloader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A checkpoint of tensors without data, to change and map. */
record FakeCheckpoint(Map<String, TensorView> tensors) implements TensorSource {
    static FakeCheckpoint of(TensorView... tensors) {
        return new FakeCheckpoint(Map.of()).with(tensors);
    }

    /** A golden checkpoint's names, types and shapes, from a list that was taken from its files. */
    static FakeCheckpoint golden(String name) {
        try {
            return of(Files.readAllLines(TestModels.folder(name).resolve("tensors.txt")).stream()
                    .map(line -> line.split(" "))
                    .map(words -> tensor(
                            words[0],
                            DType.valueOf(words[1]),
                            Arrays.stream(words).skip(2).map(Long::valueOf).toArray(Long[]::new)))
                    .toArray(TensorView[]::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static TensorView tensor(String name, DType dtype, Long... shape) {
        return new TensorView(
                name, dtype, List.of(shape), Path.of("shard.safetensors"), 0, MemorySegment.ofArray(new byte[0]));
    }

    static long bytes(Collection<TensorView> tensors) {
        return tensors.stream()
                .mapToLong(tensor -> elements(tensor) * tensor.dtype().bits() / 8)
                .sum();
    }

    static long elements(TensorView tensor) {
        return tensor.shape().stream().reduce(1L, Math::multiplyExact);
    }

    /** This checkpoint with tensors added or replaced. */
    FakeCheckpoint with(TensorView... changed) {
        Map<String, TensorView> copy = new LinkedHashMap<>(tensors);
        for (TensorView tensor : changed) {
            copy.put(tensor.name(), tensor);
        }
        return new FakeCheckpoint(copy);
    }

    /** This checkpoint with one tensor of another type. */
    FakeCheckpoint retyped(String name, DType dtype) {
        return with(tensor(name, dtype, get(name).shape().toArray(Long[]::new)));
    }

    /** This checkpoint without the tensors of these names or prefixes. */
    FakeCheckpoint without(String... prefixes) {
        Map<String, TensorView> copy = new LinkedHashMap<>(tensors);
        copy.keySet().removeIf(name -> Arrays.stream(prefixes).anyMatch(name::startsWith));
        return new FakeCheckpoint(copy);
    }

    /** This checkpoint without one tensor. */
    FakeCheckpoint lacking(String lost) {
        Map<String, TensorView> copy = new LinkedHashMap<>(tensors);
        copy.remove(lost);
        return new FakeCheckpoint(copy);
    }

    TensorView get(String name) {
        return find(name).orElseThrow();
    }

    @Override
    public Set<String> names() {
        return tensors.keySet();
    }

    @Override
    public Optional<TensorView> find(String name) {
        return Optional.ofNullable(tensors.get(name));
    }

    @Override
    public Path file() {
        return Path.of("model.safetensors.index.json");
    }
}
