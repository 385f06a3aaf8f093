package org.hotrow.engine;

import java.util.Arrays;
import java.util.List;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.modelloader.DenseMlp;
import org.hotrow.modelloader.MlpConfig;

/**
 * The chosen experts. A slot is a (row, expert) pair; slots are grouped by expert, so that an expert's weights are read
 * once for all rows that chose it, and those of an expert that nobody chose never.
 *
 * <pre>
 * slots     expert 0: rows that chose it, ascending | expert 1: ... | ...
 * gate, up  of all slots in one run, then down of all slots in one run
 * out[t]    += weight * down[slot] in slot order: ascending by expert, whatever else is in the step
 * </pre>
 */
final class CpuExperts {
    private final CpuLinear linear;
    private final Lanes lanes;
    private final CpuWeights weights;
    private final int[] slotRow;
    private final float[] slotWeight;
    private final int[] firstSlot;
    private final CpuActivation gate;
    private final CpuActivation up;
    private final CpuActivation down;

    CpuExperts(CpuLinear linear, Lanes lanes, CpuWeights weights, MlpConfig config, int hidden, int maxRows) {
        this.linear = linear;
        this.lanes = lanes;
        this.weights = weights;
        int slots = Math.multiplyExact(maxRows, config.expertsPerToken());
        slotRow = new int[slots];
        slotWeight = new float[slots];
        firstSlot = new int[config.experts() + 1];
        gate = CpuActivation.of(slots, config.expertWidth());
        up = CpuActivation.of(slots, config.expertWidth());
        down = CpuActivation.of(slots, hidden);
    }

    void run(
            List<DenseMlp> experts,
            CpuActivation x,
            CpuInts chosen,
            CpuActivation chosenWeights,
            CpuActivation out,
            int rows) {
        int slots = group(experts.size(), chosen, chosenWeights, rows);
        for (int e = 0; e < experts.size(); e++) {
            int count = firstSlot[e + 1] - firstSlot[e];
            if (count > 0) {
                DenseMlp expert = experts.get(e);
                linear.add(weights.matrix(expert.gate()), x, 0, slotRow, firstSlot[e], count, gate, firstSlot[e], 0);
                linear.add(weights.matrix(expert.up()), x, 0, slotRow, firstSlot[e], count, up, firstSlot[e], 0);
            }
        }
        linear.run();
        for (int s = 0; s < slots; s++) {
            lanes.swiglu(gate.data(), gate.at(s), up.data(), up.at(s), gate.data(), gate.at(s), gate.width());
        }
        int[] all = linear.ascending(slots);
        for (int e = 0; e < experts.size(); e++) {
            int count = firstSlot[e + 1] - firstSlot[e];
            if (count > 0) {
                DenseMlp expert = experts.get(e);
                linear.add(weights.matrix(expert.down()), gate, 0, all, firstSlot[e], count, down, firstSlot[e], 0);
            }
        }
        linear.run();
        add(slots, out, rows);
    }

    /** Orders the (row, expert) pairs by expert, then row; returns how many there are. */
    private int group(int experts, CpuInts chosen, CpuActivation chosenWeights, int rows) {
        int slots = 0;
        for (int e = 0; e < experts; e++) {
            firstSlot[e] = slots;
            for (int t = 0; t < rows; t++) {
                for (int i = 0; i < chosen.width(); i++) {
                    if (chosen.data()[chosen.at(t) + i] == e) {
                        slotRow[slots] = t;
                        slotWeight[slots++] = chosenWeights.data()[chosenWeights.at(t) + i];
                    }
                }
            }
        }
        firstSlot[experts] = slots;
        return slots;
    }

    private void add(int slots, CpuActivation out, int rows) {
        for (int t = 0; t < rows; t++) {
            Arrays.fill(out.data(), out.at(t), out.at(t) + out.width(), 0f);
        }
        for (int s = 0; s < slots; s++) {
            lanes.addScaled(slotWeight[s], down.data(), down.at(s), out.data(), out.at(slotRow[s]), out.width());
        }
    }
}
