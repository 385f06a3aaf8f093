package org.hotrow.modelloader;

import java.util.HashSet;
import java.util.List;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The tensors of a checkpoint, claimed one by one by the model that its config describes. A claim checks shape and
 * type; what nobody claims is left over.
 */
final class TensorClaims {
    private static final Set<DType> FLOATS = Set.of(DType.BF16, DType.F16, DType.F32);
    private static final Set<DType> FLOATS_AND_FP8 = Set.of(DType.BF16, DType.F16, DType.F32, DType.F8_E4M3);

    private final TensorSource source;
    private final Set<String> claimed = new HashSet<>();

    TensorClaims(TensorSource source) {
        this.source = source;
    }

    boolean has(String name) {
        return source.find(name).isPresent();
    }

    /** Whether there is a tensor below {@code prefix} that means something. */
    boolean hasBelow(String prefix) {
        return source.names().stream().anyMatch(name -> name.startsWith(prefix) && !isDerived(name));
    }

    /** A matrix and, if it is FP8, its scales. */
    MatrixTensor matrix(String name, Dim rows, Dim cols) {
        TensorView values = claim(name, FLOATS_AND_FP8, List.of(rows, cols));
        String scaleName = name + "_scale_inv";
        if (values.dtype() != DType.F8_E4M3) {
            if (has(scaleName)) {
                throw new ModelFormatException(
                        values.file(),
                        name,
                        "is " + values.dtype() + " but has scales, " + scaleName + ": expected F8_E4M3 or no scales");
            }
            return new MatrixTensor(values, null, rows.size(), cols.size());
        }
        TensorView scales = claim(scaleName, Set.of(DType.F32), List.of(blocks(rows), blocks(cols)));
        return new MatrixTensor(values, scales, rows.size(), cols.size());
    }

    private static Dim blocks(Dim dim) {
        return new Dim(Math.ceilDiv(dim.size(), Fp8.BLOCK), "ceil(" + dim.origin() + " / " + Fp8.BLOCK + ")");
    }

    VectorTensor vector(String name, Dim length) {
        return new VectorTensor(claim(name, FLOATS, List.of(length)), length.size());
    }

    /** A vector whose values lose their meaning in 16 bits. */
    VectorTensor exactVector(String name, Dim length) {
        return new VectorTensor(claim(name, Set.of(DType.F32), List.of(length)), length.size());
    }

    private TensorView claim(String name, Set<DType> types, List<Dim> dims) {
        TensorView view = source.find(name)
                .orElseThrow(() -> new ModelFormatException(
                        source.file(), name, "is missing, expected with shape " + described(dims)));
        if (!view.shape().equals(shape(dims))) {
            throw new ModelFormatException(
                    view.file(), name, "has shape " + view.shape() + ", expected " + described(dims));
        }
        if (!types.contains(view.dtype())) {
            String expected = types.stream().map(DType::name).sorted().collect(Collectors.joining(" or "));
            throw new ModelFormatException(view.file(), name, "is " + view.dtype() + ", expected " + expected);
        }
        claimed.add(name);
        return view;
    }

    private static List<Long> shape(List<Dim> dims) {
        return dims.stream().map(dim -> (long) dim.size()).toList();
    }

    private static String described(List<Dim> dims) {
        return shape(dims)
                + dims.stream().map(Dim::origin).collect(Collectors.joining(", ", " = [", "] of config.json"));
    }

    /** Names of the tensors that nobody claimed, sorted. */
    NavigableSet<String> leftovers() {
        return source.names().stream()
                .filter(name -> !claimed.contains(name) && !isDerived(name))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** RoPE frequencies, which old checkpoints store but the config says. */
    private static boolean isDerived(String name) {
        return name.endsWith(".rotary_emb.inv_freq");
    }
}
