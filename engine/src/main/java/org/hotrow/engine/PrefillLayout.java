package org.hotrow.engine;

import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hotrow.allocator.Block;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.modelloader.DType;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.SafetensorsWriter.Tensor;

/**
 * How a finished prefill of a model lies in a safetensors file. Rows and index pages are the device's byte for byte.
 *
 * <pre>
 * __metadata__   format     hotrow-prefill
 *                version    1
 *                geometry   layers, formats, bytes of a row and of an index page, anchors
 *                model      {@link Model#fingerprint}
 * tokens         I32 [n]
 * rows.LAYER     U8  [n, bytes of a row]                      of every layer
 * keys.LAYER     U8  [ceil(n / 64), bytes of an index page]   of every index anchor; zeros behind the last token
 * </pre>
 *
 * With drafts the MTP layer, which is the one behind the others, has rows and keys too: of all tokens but the last, whose
 * own depend on what comes behind it. It has zeros there.
 */
final class PrefillLayout {
    /** An id in {@link #TOKENS}. */
    static final ValueLayout.OfInt ID = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    static final String FORMAT = "format";
    static final String VERSION = "version";
    static final String GEOMETRY = "geometry";
    static final String MODEL = "model";
    static final String TOKENS = "tokens";

    private final Model model;
    private final CacheFormat format;
    private final boolean drafting;
    private final int rowBytes;
    private final IndexFormat keys;

    /** Without drafts. */
    PrefillLayout(Model model, CacheFormat format) {
        this(model, format, false);
    }

    /** @param drafting whether it has rows and keys of the MTP layer */
    PrefillLayout(Model model, CacheFormat format, boolean drafting) {
        this.model = model;
        this.format = format;
        this.drafting = drafting;
        rowBytes = format.rowFormat(model.config()).rowBytes();
        keys = format.keyFormat(model.config());
    }

    ModelConfig config() {
        return model.config();
    }

    int rowBytes() {
        return rowBytes;
    }

    /** The format of an index page. */
    IndexFormat keys() {
        return keys;
    }

    boolean drafting() {
        return drafting;
    }

    /** Layers that have rows. */
    int layers() {
        return config().layers() + (drafting ? 1 : 0);
    }

    List<Integer> anchors() {
        List<Integer> anchors = new ArrayList<>(config().indexer().anchors());
        if (drafting) {
            anchors.add(config().layers());
        }
        return anchors;
    }

    /** Whether a layer has nothing of the last token. */
    boolean leavesOutTheLast(int layer) {
        return layer == config().layers();
    }

    static String rows(int layer) {
        return "rows." + layer;
    }

    static String keys(int anchorLayer) {
        return "keys." + anchorLayer;
    }

    /** All metadata that a file has to have. */
    Map<String, String> metadata() {
        Map<String, String> metadata = new LinkedHashMap<>();
        metadata.put(FORMAT, "hotrow-prefill");
        metadata.put(VERSION, "1");
        metadata.put(GEOMETRY, geometry());
        metadata.put(MODEL, model.fingerprint());
        return metadata;
    }

    private String geometry() {
        String anchors = anchors().stream().map(String::valueOf).collect(Collectors.joining(","));
        return "layers=" + layers() + " rows=" + CacheFormat.word(format.rows()) + ":" + rowBytes + " keys="
                + CacheFormat.word(format.indexKeys()) + ":" + keys.pageBytes() + " anchors=" + anchors;
    }

    /** All tensors of a prefill of {@code n} tokens, in the order of their bytes. */
    List<Tensor> tensors(int n) {
        List<Tensor> tensors = new ArrayList<>();
        tensors.add(new Tensor(TOKENS, DType.I32, List.of((long) n)));
        for (int layer = 0; layer < layers(); layer++) {
            tensors.add(new Tensor(rows(layer), DType.U8, List.of((long) n, (long) rowBytes)));
        }
        for (int anchor : anchors()) {
            tensors.add(new Tensor(keys(anchor), DType.U8, List.of((long) Block.pages(n), (long) keys.pageBytes())));
        }
        return tensors;
    }
}
