package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.List;

/**
 * The MLPs: dense layers and mixtures of experts, all of the form {@code down(silu(gate x) * up x)} without biases.
 * An MTP layer is always SPARSE.
 *
 * <p>Router: sigmoid scores; selection by score plus bias, first the {@code groupsKept} groups with the largest sum of
 * their two best, then the experts of those; weights from the scores alone.
 *
 * @param denseWidth inner width of a dense MLP
 * @param expertWidth inner width of a routed expert
 * @param experts routed experts of a layer
 * @param expertsPerToken experts selected for a token
 * @param sharedExperts experts that every token passes, stored as one of {@code sharedExperts * expertWidth}; may be 0
 * @param groups groups of equal size, in expert order
 * @param groupsKept groups that a token may select from
 * @param normaliseWeights whether the selected experts' weights are divided by their sum
 * @param scaling factor of the routed experts' weights, after that division
 * @param types one per layer
 */
public record MlpConfig(
        int denseWidth,
        int expertWidth,
        int experts,
        int expertsPerToken,
        int sharedExperts,
        int groups,
        int groupsKept,
        boolean normaliseWeights,
        double scaling,
        List<MlpType> types) {
    private static final int MAX_DENSE_WIDTH = 1 << 18;
    private static final int MAX_EXPERT_WIDTH = 1 << 16;
    private static final int MAX_EXPERTS = 4096;
    private static final int MAX_SHARED_EXPERTS = 64;
    private static final double MAX_SCALING = 1e6;

    public MlpConfig {
        types = List.copyOf(types);
    }

    static MlpConfig read(JsonFields config, Family family, int layers) {
        config.word("hidden_act", "silu");
        config.word("scoring_func", "sigmoid");
        config.word("topk_method", "noaux_tc");
        config.word("moe_router_dtype", "float32");
        int experts = config.whole("n_routed_experts", 1, MAX_EXPERTS);
        var mlp = new MlpConfig(
                config.whole("intermediate_size", 1, MAX_DENSE_WIDTH),
                config.whole("moe_intermediate_size", 1, MAX_EXPERT_WIDTH),
                experts,
                config.whole("num_experts_per_tok", 1, MAX_EXPERTS),
                config.whole("n_shared_experts", 0, MAX_SHARED_EXPERTS, 1),
                config.whole("n_group", 1, MAX_EXPERTS, family.groups),
                config.whole("topk_group", 1, MAX_EXPERTS, family.groupsKept),
                config.flag("norm_topk_prob", true),
                config.positive("routed_scaling_factor", MAX_SCALING, 2.5),
                readTypes(config, layers));
        mlp.checkRouting(config);
        return mlp;
    }

    private void checkRouting(JsonFields config) {
        if (expertsPerToken > experts) {
            throw config.refusal("num_experts_per_tok", "at most n_routed_experts, " + experts);
        }
        if (experts % groups != 0) {
            throw config.refusal("n_group", "a divisor of n_routed_experts, " + experts);
        }
        int groupSize = experts / groups;
        if (groups > 1 && groupSize < 2) {
            throw config.refusal("n_group", "groups of two experts or more: a group is scored by its two best");
        }
        if (groupsKept > groups) {
            throw config.refusal("topk_group", "at most n_group, " + groups);
        }
        if (groupsKept * groupSize < expertsPerToken) {
            throw config.refusal("topk_group", "groups that hold num_experts_per_tok, " + expertsPerToken);
        }
    }

    private static List<MlpType> readTypes(JsonFields config, int layers) {
        if (config.has("mlp_layer_types")) {
            return config.perLayer("mlp_layer_types", layers, MlpType.class);
        }
        int firstSparse = config.whole("first_k_dense_replace", 0, Integer.MAX_VALUE, 3);
        int frequency = config.whole("moe_layer_freq", 1, Integer.MAX_VALUE, 1);
        List<MlpType> types = new ArrayList<>();
        for (int layer = 0; layer < layers; layer++) {
            types.add(layer >= firstSparse && layer % frequency == 0 ? MlpType.SPARSE : MlpType.DENSE);
        }
        return types;
    }
}
