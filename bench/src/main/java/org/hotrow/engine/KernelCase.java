package org.hotrow.engine;

import java.util.List;
import org.hotrow.bench.Floor;

/**
 * An operation of the walk at a stated shape, the same for the CPU and for kernels.
 *
 * @param name as parameter {@code operation} has it
 * @param kernels that compute it on graph devices; a class each in {@code org.hotrow.kernels.tornado}
 * @param shape in words
 * @param place the step
 * @param widths of the activations that it reads
 * @param floor of one execution
 * @param ofPages whether it is a copy of the {@link KvTensor}, which is done when it returns on every device
 */
record KernelCase(
        String name,
        List<String> kernels,
        String shape,
        OpsBench.Place place,
        List<Integer> widths,
        Floor floor,
        boolean ofPages,
        Operation operation) {
    /** Makes what the operation leaves its results in, and returns the operation. */
    interface Operation {
        Runnable of(OpsBench bench, List<Activation> in);
    }
}
