package org.hotrow.engine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.KvGeometry;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * The KV tensor and the host pool as kernels see them, and where each layer lies in them: in arrays, so that the kernels of
 * all layers are the same code.
 */
final class GraphSlabs {
    private final DeviceArrays arrays;
    private final KvGeometry geometry;
    private final GraphKvTensor tensor;
    private final IdentityHashMap<LongArray, FloatArray> slabsOfFloats = new IdentityHashMap<>();
    private final List<GraphKvTensor.Window> windows;
    private final Map<List<Integer>, IntArray> places = new HashMap<>();

    GraphSlabs(DeviceArrays arrays, GraphKvTensor tensor, Optional<HostPool> host) {
        this.arrays = arrays;
        this.tensor = tensor;
        geometry = tensor.geometry();
        windows = host.map(tensor::windows).orElse(List.of());
    }

    KvGeometry geometry() {
        return geometry;
    }

    /** The slab of a layer. */
    LongArray of(int layer) {
        return tensor.slab(layer);
    }

    /** The same memory, for rows and keys of f32. */
    FloatArray floatsOf(int layer) {
        return slabsOfFloats.computeIfAbsent(of(layer), arrays::floatsOf);
    }

    List<GraphKvTensor.Window> windows() {
        return windows;
    }

    /** Layers of the slab of a layer. */
    int layersInSlab(int layer) {
        return geometry.layersIn(geometry.slabOf(layer));
    }

    /** Anchors of the slab of a layer. */
    int anchorsInSlab(int layer) {
        return geometry.anchorsIn(geometry.slabOf(layer));
    }

    /** Longs of a block of the slab of a layer. */
    int blockLongs(int layer) {
        return Math.toIntExact(geometry.blockBytes(geometry.slabOf(layer)) / Long.BYTES);
    }

    /** Equal ints are one array. */
    private IntArray ints(int... values) {
        List<Integer> key = Arrays.stream(values).boxed().toList();
        return places.computeIfAbsent(key, ignored -> arrays.intsOf(values));
    }

    /** {layer in slab, layers in slab} */
    IntArray layer(int layer) {
        return ints(geometry.layerInSlab(layer), layersInSlab(layer));
    }

    /** {anchor in slab, anchors in slab, longs of a slab block} */
    IntArray anchor(int anchor) {
        return ints(geometry.anchorInSlab(anchor), anchorsInSlab(anchor), blockLongs(anchor));
    }

    /** {layer in slab, layers in slab, layer on the host, layers}: a run of layers of one slab. */
    IntArray place(int firstLayer, int layers) {
        return ints(geometry.layerInSlab(firstLayer), layersInSlab(firstLayer), firstLayer, layers);
    }
}
