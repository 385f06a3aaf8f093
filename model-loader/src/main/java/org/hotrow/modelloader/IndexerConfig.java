package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.hotrow.modelloader.JsonValue.JsonString;

/**
 * The lightning indexer, which selects the tokens that attention reads.
 *
 * @param heads heads of an index query; a key has one
 * @param headDim width of an index head; RoPE rotates its first {@code ropeDim} elements
 * @param topK tokens selected for a query
 * @param ropeInterleaved whether RoPE rotates pairs (2i, 2i+1), else (i, i + ropeDim/2)
 * @param types one per layer; the first is FULL
 * @param shareForMtp whether later draft steps of a round reuse the first one's selection
 */
public record IndexerConfig(
        int heads, int headDim, int topK, boolean ropeInterleaved, List<IndexerType> types, boolean shareForMtp) {
    private static final int MAX_HEADS = 4096;
    private static final int MAX_HEAD_DIM = 4096;
    private static final int MAX_SCHEDULE = 1 << 20;

    public IndexerConfig {
        types = List.copyOf(types);
    }

    /** The layer whose indexer selects for {@code layer}: the nearest FULL one at or before it. */
    public int anchor(int layer) {
        int anchor = layer;
        while (types.get(anchor) == IndexerType.SHARED) {
            anchor--;
        }
        return anchor;
    }

    /** The layers that have an indexer, ascending. */
    public List<Integer> anchors() {
        return IntStream.range(0, types.size())
                .filter(layer -> types.get(layer) == IndexerType.FULL)
                .boxed()
                .toList();
    }

    static IndexerConfig read(JsonFields config, Family family, int layers, int contextLength, int ropeDim) {
        var indexer = new IndexerConfig(
                config.whole("index_n_heads", 1, MAX_HEADS),
                config.whole("index_head_dim", 1, MAX_HEAD_DIM),
                config.whole("index_topk", 1, Integer.MAX_VALUE),
                config.flag("indexer_rope_interleave", family.indexerRopeInterleaved),
                readTypes(config, layers),
                config.flag("index_share_for_mtp_iteration", false));
        if (indexer.topK > contextLength) {
            throw config.refusal("index_topk", "at most max_position_embeddings, " + contextLength);
        }
        if (indexer.headDim < ropeDim) {
            throw config.refusal("index_head_dim", "at least qk_rope_head_dim, " + ropeDim);
        }
        return indexer;
    }

    /** The list decides; without it the pattern; without both the rule, whose defaults make every layer FULL. */
    private static List<IndexerType> readTypes(JsonFields config, int layers) {
        String source;
        List<IndexerType> types;
        if (config.has("indexer_types")) {
            source = "indexer_types";
            types = config.perLayer(source, layers, IndexerType.class);
        } else if (config.find("index_topk_pattern") instanceof JsonString(var pattern)) {
            source = "index_topk_pattern";
            types = fromPattern(config, pattern, layers);
        } else if (config.has("index_topk_pattern")) {
            source = "index_topk_pattern";
            types = config.perLayer(source, layers, IndexerType.class);
        } else {
            source = "index_skip_topk_offset";
            types = fromRule(config, layers);
        }
        if (types.getFirst() == IndexerType.SHARED) {
            throw config.refusal(source, "a schedule whose first layer has its own indexer: no earlier one to share");
        }
        return types;
    }

    private static List<IndexerType> fromPattern(JsonFields config, String pattern, int layers) {
        if (pattern.length() != layers || !pattern.matches("[FS]*")) {
            throw config.refusal("index_topk_pattern", layers + " letters F or S (num_hidden_layers)");
        }
        return pattern.chars()
                .mapToObj(letter -> letter == 'F' ? IndexerType.FULL : IndexerType.SHARED)
                .toList();
    }

    private static List<IndexerType> fromRule(JsonFields config, int layers) {
        int frequency = config.whole("index_topk_freq", 1, MAX_SCHEDULE, 1);
        int offset = config.whole("index_skip_topk_offset", 0, MAX_SCHEDULE, 2);
        List<IndexerType> types = new ArrayList<>(Collections.nCopies(layers, IndexerType.FULL));
        for (int layer = 0; layer < layers; layer++) {
            if (Math.max(layer - offset + 1, 0) % frequency != 0) {
                types.set(layer, IndexerType.SHARED);
            }
        }
        return types;
    }
}
