package org.hotrow.modelloader;

import org.hotrow.modelloader.JsonValue.JsonString;

/** The model families that Hotrow runs, and what a config of each means where it is silent. */
public enum Family {
    /** GLM-5, 5.1, 5.2 and 5.3. */
    GLM_MOE_DSA("glm_moe_dsa", "GlmMoeDsaForCausalLM", 1e-5, 1, 1, true),
    /** DeepSeek-V3.2. */
    DEEPSEEK_V32("deepseek_v32", "DeepseekV32ForCausalLM", 1e-6, 8, 4, false);

    private final String modelType;
    private final String architecture;
    final double rmsEps;
    final int groups;
    final int groupsKept;
    final boolean indexerRopeInterleaved;

    Family(
            String modelType,
            String architecture,
            double rmsEps,
            int groups,
            int groupsKept,
            boolean indexerRopeInterleaved) {
        this.modelType = modelType;
        this.architecture = architecture;
        this.rmsEps = rmsEps;
        this.groups = groups;
        this.groupsKept = groupsKept;
        this.indexerRopeInterleaved = indexerRopeInterleaved;
    }

    /** The value of {@code model_type}. */
    public String modelType() {
        return modelType;
    }

    /** The family that {@code model_type} names; {@code architectures}, when there, must agree with it. */
    static Family read(JsonFields config) {
        for (Family family : values()) {
            if (new JsonString(family.modelType).equals(config.find("model_type"))) {
                config.words("architectures", family.architecture);
                return family;
            }
        }
        throw config.refusal(
                "model_type",
                "\"glm_moe_dsa\" (GLM-5, 5.1, 5.2, 5.3) or \"deepseek_v32\" (DeepSeek-V3.2): Hotrow runs no other model");
    }
}
