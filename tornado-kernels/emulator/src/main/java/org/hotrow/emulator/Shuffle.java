package org.hotrow.emulator;

import java.util.List;

/** Lanes read each other's value. */
final class Shuffle extends WarpOperation {
    enum Kind {
        /** The butterfly of {@code shfl.xor}: partners at distance 16, 8, 4, 2, 1; every lane gets the same bits. */
        SUM,
        /** The value {@code delta} lanes up; lanes without one keep their own. */
        DOWN,
        /** The value of lane 0. */
        FIRST
    }

    private final Kind kind;
    private final float value;
    private final int delta;
    private float result;

    Shuffle(Kind kind, float value, int delta) {
        this.kind = kind;
        this.value = value;
        this.delta = delta;
    }

    float result() {
        return result;
    }

    @Override
    Object agreement() {
        return kind;
    }

    @Override
    void exchange(List<WarpOperation> lanes) {
        float[] values = new float[lanes.size()];
        for (int lane = 0; lane < values.length; lane++) {
            values[lane] = ((Shuffle) lanes.get(lane)).value;
        }
        float[] results = kind == Kind.SUM ? butterfly(values) : values;
        for (int lane = 0; lane < values.length; lane++) {
            Shuffle of = (Shuffle) lanes.get(lane);
            of.result = results[of.source(lane)];
        }
    }

    private int source(int lane) {
        return switch (kind) {
            case SUM -> lane;
            case DOWN -> lane + delta < WorkGroup.WARP ? lane + delta : lane;
            case FIRST -> 0;
        };
    }

    private static float[] butterfly(float[] values) {
        float[] sums = values;
        for (int distance = sums.length / 2; distance > 0; distance /= 2) {
            float[] next = new float[sums.length];
            for (int lane = 0; lane < next.length; lane++) {
                next[lane] = sums[lane] + sums[lane ^ distance];
            }
            sums = next;
        }
        return sums;
    }
}
