package org.hotrow.engine;

import java.util.Arrays;
import java.util.List;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.MlpConfig;

/**
 * The routed experts of one layer: one expert after another, each for all rows that chose it, so that its weights are
 * read once. A row adds its experts in ascending order, whatever else is in the step.
 */
final class CpuExperts {
    private final CpuLinear linear;
    private final CpuWeights weights;
    private final int[] list;
    private final float[] share;
    private final CpuActivation gate;
    private final CpuActivation up;
    private final CpuActivation down;

    CpuExperts(CpuLinear linear, CpuWeights weights, MlpConfig config, int hidden, int maxRows) {
        this.linear = linear;
        this.weights = weights;
        list = new int[maxRows];
        share = new float[maxRows];
        gate = CpuActivation.of(maxRows, config.expertWidth());
        up = CpuActivation.of(maxRows, config.expertWidth());
        down = CpuActivation.of(maxRows, hidden);
    }

    void run(
            List<DenseMlp> experts,
            CpuActivation x,
            CpuInts chosen,
            CpuActivation chosenWeights,
            CpuActivation out,
            int rows) {
        for (int t = 0; t < rows; t++) {
            Arrays.fill(out.data(), out.at(t), out.at(t) + out.width(), 0f);
        }
        for (int e = 0; e < experts.size(); e++) {
            int count = listRows(e, chosen, chosenWeights, rows);
            if (count > 0) {
                one(experts.get(e), x, count, out);
            }
        }
    }

    private int listRows(int expert, CpuInts chosen, CpuActivation chosenWeights, int rows) {
        int count = 0;
        for (int t = 0; t < rows; t++) {
            for (int i = 0; i < chosen.width(); i++) {
                if (chosen.data()[chosen.at(t) + i] == expert) {
                    list[count] = t;
                    share[count++] = chosenWeights.data()[chosenWeights.at(t) + i];
                }
            }
        }
        return count;
    }

    private void one(DenseMlp expert, CpuActivation x, int count, CpuActivation out) {
        linear.multiply(weights.matrix(expert.gate()), x, list, count, gate);
        linear.multiply(weights.matrix(expert.up()), x, list, count, up);
        CpuOps.swiglu(gate, up, gate, count);
        linear.multiply(weights.matrix(expert.down()), gate, down, count);
        for (int i = 0; i < count; i++) {
            Lanes.addScaled(share[i], down.data(), down.at(i), out.data(), out.at(list[i]), out.width());
        }
    }
}
