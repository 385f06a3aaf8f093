package org.hotrow.engine.lanes;

import static jdk.incubator.vector.VectorOperators.LSHL;
import static jdk.incubator.vector.VectorOperators.MAX;
import static jdk.incubator.vector.VectorOperators.MIN;
import static org.hotrow.engine.lanes.Lanes.WIDTH;
import static org.hotrow.engine.lanes.VectorLanes.FLOATS;

import jdk.incubator.vector.FloatVector;

/** {@link Exp}, step by step, on 8 floats. */
final class VectorExp {
    private VectorExp() {}

    static void exp(float[] x, int xi, float shift, int n) {
        int i = 0;
        for (; i < n - WIDTH + 1; i += WIDTH) {
            of(FloatVector.fromArray(FLOATS, x, xi + i).sub(shift)).intoArray(x, xi + i);
        }
        for (; i < n; i++) {
            x[xi + i] = Exp.of(x[xi + i] - shift);
        }
    }

    static void swiglu(float[] gate, int gi, float[] up, int ui, float[] out, int oi, int n) {
        int i = 0;
        for (; i < n - WIDTH + 1; i += WIDTH) {
            FloatVector g = FloatVector.fromArray(FLOATS, gate, gi + i);
            g.div(of(g.neg()).add(1f))
                    .mul(FloatVector.fromArray(FLOATS, up, ui + i))
                    .intoArray(out, oi + i);
        }
        for (; i < n; i++) {
            float g = gate[gi + i];
            out[oi + i] = g / (1 + Exp.of(-g)) * up[ui + i];
        }
    }

    private static FloatVector of(FloatVector x) {
        FloatVector c = x.lanewise(MAX, Exp.LEAST).lanewise(MIN, Exp.MOST);
        FloatVector rounded = c.fma(constant(Exp.LOG2_E), constant(Exp.ROUNDER));
        FloatVector n = rounded.sub(Exp.ROUNDER);
        FloatVector r = n.fma(constant(-Exp.LN2_LOW), n.fma(constant(-Exp.LN2_HIGH), c));
        FloatVector q = r.fma(constant(Exp.Q5), constant(Exp.Q4));
        q = q.fma(r, constant(Exp.Q3));
        q = q.fma(r, constant(Exp.Q2));
        q = q.fma(r, constant(Exp.Q1));
        q = q.fma(r, constant(Exp.Q0));
        FloatVector power =
                rounded.reinterpretAsInts().lanewise(LSHL, 23).add(127 << 23).reinterpretAsFloats();
        return q.fma(r.mul(r), r.add(1f)).mul(power);
    }

    private static FloatVector constant(float value) {
        return FloatVector.broadcast(FLOATS, value);
    }
}
