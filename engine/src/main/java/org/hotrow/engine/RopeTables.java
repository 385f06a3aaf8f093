package org.hotrow.engine;

import org.hotrow.kernels.RopeTable;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.RopeConfig;
import org.hotrow.modelloader.Yarn;

/** The rotary table that a config asks for. */
final class RopeTables {
    private RopeTables() {}

    static RopeTable of(ModelConfig config) {
        RopeConfig rope = config.rope();
        int dim = config.attention().ropeDim();
        Yarn yarn = rope.yarn();
        if (yarn == null) {
            return new RopeTable(RopeTable.inverseFrequencies(rope.theta(), dim), 1f);
        }
        float[] frequencies = RopeTable.yarnInverseFrequencies(
                rope.theta(),
                dim,
                yarn.factor(),
                yarn.originalContext(),
                yarn.betaFast(),
                yarn.betaSlow(),
                yarn.truncate());
        return new RopeTable(frequencies, (float) rope.cosSinFactor());
    }
}
