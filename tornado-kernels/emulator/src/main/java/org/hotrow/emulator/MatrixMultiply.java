package org.hotrow.emulator;

import java.util.List;
import uk.ac.manchester.tornado.api.types.BFloat16;
import uk.ac.manchester.tornado.api.types.FP8;

/**
 * D = A B + C of a warp: 16 x 8, with 32 bytes along k. Each element is summed exactly enough in double and rounded
 * once; the device may differ in the last bits of a float. 8-bit integers wrap as ints do.
 */
final class MatrixMultiply extends WarpOperation {
    /** How the 32 bytes along k are read. */
    enum Operand {
        HALF(2),
        BFLOAT16(2),
        INT8(1),
        E4M3(1),
        E5M2(1);

        private final int bytes;

        Operand(int bytes) {
            this.bytes = bytes;
        }

        private double value(int bits) {
            return switch (this) {
                case HALF -> Float.float16ToFloat((short) bits);
                case BFLOAT16 -> BFloat16.bf16ToFloat((short) bits);
                case INT8 -> (byte) bits;
                case E4M3 -> FP8.e4m3ToFloat((byte) bits);
                case E5M2 -> FP8.e5m2ToFloat((byte) bits);
            };
        }
    }

    private final Operand operand;
    private final int[] a;
    private final int[] b;
    private final double[] c;
    private final double[] d = new double[Matrix.C_ELEMENTS];

    /** A lane's registers of A and B and elements of C. */
    MatrixMultiply(Operand operand, int[] a, int[] b, double[] c) {
        this.operand = operand;
        this.a = a;
        this.b = b;
        this.c = c;
    }

    /** The lane's elements of D. */
    double[] result() {
        return d;
    }

    @Override
    Object agreement() {
        return operand;
    }

    @Override
    void exchange(List<WarpOperation> lanes) {
        int depth = Matrix.DEPTH_BYTES / operand.bytes;
        double[][] rows = new double[Matrix.ROWS][depth];
        double[][] columns = new double[Matrix.COLUMNS][depth];
        for (int lane = 0; lane < lanes.size(); lane++) {
            MatrixMultiply of = (MatrixMultiply) lanes.get(lane);
            for (int r = 0; r < Matrix.A_REGISTERS; r++) {
                spread(of.a[r], rows[Matrix.rowOfA(lane, r)], Matrix.byteOfA(lane, r));
            }
            for (int r = 0; r < Matrix.B_REGISTERS; r++) {
                spread(of.b[r], columns[lane / 4], Matrix.byteOfB(lane, r));
            }
        }
        for (int lane = 0; lane < lanes.size(); lane++) {
            MatrixMultiply of = (MatrixMultiply) lanes.get(lane);
            for (int i = 0; i < Matrix.C_ELEMENTS; i++) {
                of.d[i] = of.c[i] + dot(rows[Matrix.rowOfC(lane, i)], columns[Matrix.columnOfC(lane, i)]);
            }
        }
    }

    private void spread(int register, double[] line, int fromByte) {
        for (int at = 0; at < Matrix.REGISTER_BYTES; at += operand.bytes) {
            line[(fromByte + at) / operand.bytes] = operand.value(register >> (8 * at));
        }
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int k = 0; k < a.length; k++) {
            sum += a[k] * b[k];
        }
        return sum;
    }
}
