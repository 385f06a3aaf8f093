package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rotary position embedding, the same for attention and indexer: frequency i of n is {@code theta^(-i/n)}, changed by
 * YaRN if there is one.
 *
 * @param theta base of the frequencies
 * @param yarn null for plain RoPE
 */
public record RopeConfig(double theta, @Nullable Yarn yarn) {
    private static final double MIN_THETA = 2;
    private static final double MAX_THETA = 1e12;
    private static final Set<String> KEYS = Set.of("rope_theta", "rope_type", "type", "partial_rotary_factor");
    private static final Set<String> YARN_KEYS = Set.of(
            "factor",
            "original_max_position_embeddings",
            "beta_fast",
            "beta_slow",
            "mscale",
            "mscale_all_dim",
            "attention_factor",
            "truncate");

    /** Factor of cos and sin; 1 without YaRN. */
    public double cosSinFactor() {
        return yarn == null ? 1 : yarn.cosSinFactor();
    }

    /** Factor of the attention scores before the softmax: {@code queryDim^-0.5}, times YaRN's. */
    public double softmaxScale(int queryDim) {
        return (yarn == null ? 1 : yarn.scoreFactor()) / Math.sqrt(queryDim);
    }

    /** Reads theta and YaRN from {@code rope_parameters}, {@code rope_scaling} and the config's own {@code rope_theta}. */
    static RopeConfig read(JsonFields config, Family family, int maxContext) {
        checkWholeHeadRotates(config);
        List<JsonFields> blocks = new ArrayList<>();
        for (String name : List.of("rope_parameters", "rope_scaling")) {
            @Nullable JsonFields block = config.child(name);
            if (block != null) {
                checkWholeHeadRotates(block);
                blocks.add(block);
            }
        }
        @Nullable Yarn yarn = readYarn(config, blocks, family, maxContext);
        blocks.add(config);
        return new RopeConfig(readTheta(blocks), yarn);
    }

    private static void checkWholeHeadRotates(JsonFields fields) {
        if (fields.positive("partial_rotary_factor", MAX_THETA, 1) != 1) {
            throw fields.refusal("partial_rotary_factor", "1");
        }
    }

    private static double readTheta(List<JsonFields> places) {
        @Nullable JsonFields first = null;
        double theta = 0;
        for (JsonFields place : places) {
            if (!place.has("rope_theta")) {
                continue;
            }
            double found = place.positive("rope_theta", MAX_THETA);
            if (found < MIN_THETA) {
                throw place.refusal("rope_theta", "at least " + MIN_THETA);
            }
            if (first != null && found != theta) {
                throw place.contradiction("rope_theta", first, "rope_theta");
            }
            first = place;
            theta = found;
        }
        if (first == null) {
            throw places.getLast().refusal("rope_theta", "a positive number, here or in rope_parameters");
        }
        return theta;
    }

    private static @Nullable Yarn readYarn(JsonFields config, List<JsonFields> blocks, Family family, int maxContext) {
        boolean stated = false;
        @Nullable Yarn yarn = null;
        for (JsonFields block : blocks) {
            @Nullable Yarn found = readBlock(block, family, maxContext);
            if (block.has("rope_type") || block.has("type")) {
                if (stated && !Objects.equals(found, yarn)) {
                    throw config.contradiction("rope_scaling", config, "rope_parameters");
                }
                stated = true;
                yarn = found;
            }
        }
        return yarn;
    }

    private static @Nullable Yarn readBlock(JsonFields block, Family family, int maxContext) {
        String[] types = family == Family.DEEPSEEK_V32 ? new String[] {"default", "yarn"} : new String[] {"default"};
        String type = block.word(block.has("rope_type") ? "rope_type" : "type", types);
        if (block.has("type") && !block.word("type", types).equals(type)) {
            throw block.contradiction("type", block, "rope_type");
        }
        boolean yarn = type.equals("yarn");
        for (String name : block.object().fields().keySet()) {
            if (block.has(name) && !KEYS.contains(name) && !(yarn && YARN_KEYS.contains(name))) {
                throw block.refusal(name, "no such field with rope_type \"" + type + "\"");
            }
        }
        return yarn ? Yarn.read(block, maxContext) : null;
    }
}
