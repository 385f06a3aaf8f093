package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Keeps what the walk shows, row after row over all steps, under the names of the goldens. */
final class Recorder implements WalkProbe {
    private final Map<String, List<float[]>> floats = new TreeMap<>();
    private final Map<String, List<int[]>> ints = new TreeMap<>();
    private int rows;

    /** Rows of the step that comes next. */
    void expect(int count) {
        rows = count;
    }

    @Override
    public void attention(int layer, Activation out) {
        keep("layer" + layer + ".attn_out", out, rows);
    }

    @Override
    public void hidden(int layer, Activation out) {
        keep("layer" + layer + ".hidden_out", out, rows);
    }

    @Override
    public void drafted(Activation out) {
        keep("drafted", out, rows);
    }

    @Override
    public void row(int layer, Activation row) {
        keep("layer" + layer + ".row", row, rows);
    }

    @Override
    public void indexKey(int layer, Activation key) {
        keep("layer" + layer + ".index_key", key, rows);
    }

    @Override
    public void selection(int layer, IntRows positions) {
        keep("layer" + layer + ".topk", positions);
    }

    @Override
    public void routing(int layer, IntRows experts, Activation weights) {
        keep("layer" + layer + ".expert_idx", experts);
        keep("layer" + layer + ".expert_w", weights, rows);
    }

    void keep(String name, Activation activation, int count) {
        CpuActivation a = CpuActivation.of(activation);
        for (int t = 0; t < count; t++) {
            keep(name, Arrays.copyOfRange(a.data(), a.at(t), a.at(t) + a.width()));
        }
    }

    void keep(String name, float[] row) {
        floats.computeIfAbsent(name, n -> new ArrayList<>()).add(row);
    }

    private void keep(String name, IntRows lists) {
        CpuInts i = CpuInts.of(lists);
        for (int t = 0; t < rows; t++) {
            ints.computeIfAbsent(name, n -> new ArrayList<>()).add(Arrays.copyOfRange(i.data(), i.at(t), i.at(t + 1)));
        }
    }

    void keep(String name, int value) {
        ints.computeIfAbsent(name, n -> new ArrayList<>()).add(new int[] {value});
    }

    Set<String> floatNames() {
        return floats.keySet();
    }

    Set<String> intNames() {
        return ints.keySet();
    }

    /** All rows of a name. */
    List<float[]> floats(String name) {
        return Objects.requireNonNull(floats.get(name), name);
    }

    /** All rows of a name, one after another, in their bits. */
    int[] bits(String name) {
        List<float[]> rows = floats(name);
        int width = rows.getFirst().length;
        int[] bits = new int[rows.size() * width];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(rows.get(i / width)[i % width]);
        }
        return bits;
    }

    /** All lists of a name. */
    List<int[]> ints(String name) {
        return Objects.requireNonNull(ints.get(name), name);
    }
}
