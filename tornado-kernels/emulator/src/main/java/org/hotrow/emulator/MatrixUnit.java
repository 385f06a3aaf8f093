package org.hotrow.emulator;

import org.hotrow.emulator.MatrixMultiply.Operand;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/** A lane's part of the tensor core's operations: fragments are its registers, as {@link Matrix} deals them. */
public final class MatrixUnit {
    private static final int LOAD_ALIGNMENT = 16;

    private final WorkItem item;

    MatrixUnit(WorkItem item) {
        this.item = item;
    }

    /** Halves of A from a row-major tile, {@code offset} bytes into it. */
    public HalfFloat[] halvesOfA(int[] tile, int rowBytes, int offset) {
        return Fragment.halves(loadA(tile, rowBytes, offset));
    }

    /** Bytes of A from a row-major tile. */
    public byte[] bytesOfA(int[] tile, int rowBytes) {
        return Fragment.bytes(loadA(tile, rowBytes, 0));
    }

    /** Halves of B from a tile of 16-byte rows. */
    public HalfFloat[] halvesOfB(int[] tile, int offset) {
        return Fragment.halves(loadB(tile, offset));
    }

    /** Bytes of B from a tile of 16-byte rows. */
    public byte[] bytesOfB(int[] tile) {
        return Fragment.bytes(loadB(tile, 0));
    }

    /** Halves of B from a tile of swizzled 16-byte rows. */
    public HalfFloat[] swizzledHalvesOfB(HalfFloat[] tile, int offset) {
        converge(tile, offset);
        HalfFloat[] halves = new HalfFloat[2 * Matrix.B_REGISTERS];
        for (int i = 0; i < halves.length; i++) {
            int at = (offset + Matrix.tileByteOfB(item.lane(), i / 2, i % 2, true)) / Short.BYTES;
            Tracer.reads(tile, at);
            halves[i] = tile[at];
        }
        return halves;
    }

    /** D = A B + C of halves. */
    public float[] multiplyHalves(HalfFloat[] a, HalfFloat[] b, float[] c) {
        return multiply(Operand.HALF, Fragment.registers(a), Fragment.registers(b), c);
    }

    /** D = A B + C of bfloat16 numbers, whose bits the fragments hold. */
    public float[] multiplyBfloat16(HalfFloat[] a, HalfFloat[] b, float[] c) {
        return multiply(Operand.BFLOAT16, Fragment.registers(a), Fragment.registers(b), c);
    }

    /** D = A B + C of e4m3 numbers. */
    public float[] multiplyE4m3(byte[] a, byte[] b, float[] c) {
        return multiply(Operand.E4M3, Fragment.registers(a), Fragment.registers(b), c);
    }

    /** D = A B + C of e5m2 numbers. */
    public float[] multiplyE5m2(byte[] a, byte[] b, float[] c) {
        return multiply(Operand.E5M2, Fragment.registers(a), Fragment.registers(b), c);
    }

    /** D = A B + C of 8-bit integers. */
    public int[] multiplyInt8(byte[] a, byte[] b, int[] c) {
        double[] sums = new double[c.length];
        for (int i = 0; i < c.length; i++) {
            sums[i] = c[i];
        }
        double[] results = multiply(Operand.INT8, Fragment.registers(a), Fragment.registers(b), sums);
        int[] d = new int[results.length];
        for (int i = 0; i < d.length; i++) {
            d[i] = (int) (long) results[i];
        }
        return d;
    }

    /** Writes D to a row-major matrix of {@code columns} columns. */
    public void store(float[] d, FloatArray to, int row, int column, int columns) {
        requireFragment("D", d.length, Matrix.C_ELEMENTS);
        for (int i = 0; i < d.length; i++) {
            Tracer.nextAccess();
            to.set(indexOfC(i, row, column, columns), d[i]);
        }
    }

    /** Writes D to a row-major matrix of {@code columns} columns. */
    public void store(int[] d, IntArray to, int row, int column, int columns) {
        requireFragment("D", d.length, Matrix.C_ELEMENTS);
        for (int i = 0; i < d.length; i++) {
            Tracer.nextAccess();
            to.set(indexOfC(i, row, column, columns), d[i]);
        }
    }

    private int indexOfC(int element, int row, int column, int columns) {
        return (row + Matrix.rowOfC(item.lane(), element)) * columns + column + Matrix.columnOfC(item.lane(), element);
    }

    private int[] loadA(int[] tile, int rowBytes, int offset) {
        converge(tile, offset);
        int[] registers = new int[Matrix.A_REGISTERS];
        for (int r = 0; r < registers.length; r++) {
            registers[r] = read(tile, (offset + Matrix.tileByteOfA(item.lane(), r, rowBytes)) / Integer.BYTES);
        }
        return registers;
    }

    private int[] loadB(int[] tile, int offset) {
        converge(tile, offset);
        int[] registers = new int[Matrix.B_REGISTERS];
        for (int r = 0; r < registers.length; r++) {
            for (int half = 0; half < 2; half++) {
                int at = offset + Matrix.tileByteOfB(item.lane(), r, half, false);
                int pair = read(tile, at / Integer.BYTES) >> (8 * (at % Integer.BYTES));
                registers[r] |= (pair & 0xFFFF) << (16 * half);
            }
        }
        return registers;
    }

    private float[] multiply(Operand operand, int[] a, int[] b, float[] c) {
        double[] sums = new double[c.length];
        for (int i = 0; i < c.length; i++) {
            sums[i] = c[i];
        }
        double[] results = multiply(operand, a, b, sums);
        float[] d = new float[results.length];
        for (int i = 0; i < d.length; i++) {
            d[i] = (float) results[i];
        }
        return d;
    }

    private double[] multiply(Operand operand, int[] a, int[] b, double[] c) {
        requireFragment("A", a.length, Matrix.A_REGISTERS);
        requireFragment("B", b.length, Matrix.B_REGISTERS);
        requireFragment("C", c.length, Matrix.C_ELEMENTS);
        MatrixMultiply multiply = new MatrixMultiply(operand, a, b, c);
        item.together(multiply);
        return multiply.result();
    }

    private void converge(Object tile, int offset) {
        int x = item.localSize().x();
        if (x % WorkGroup.WARP != 0) {
            throw new IllegalStateException("matrix operations take lanes from x, where the group has " + x
                    + " work-items; make it a multiple of " + WorkGroup.WARP);
        }
        if (offset % LOAD_ALIGNMENT != 0) {
            throw new IllegalArgumentException(
                    "a matrix load at byte " + offset + ", which is not a multiple of " + LOAD_ALIGNMENT);
        }
        item.together(new Convergence(tile, offset));
    }

    private static void requireFragment(String name, int registers, int expected) {
        if (registers != expected) {
            throw new IllegalArgumentException(
                    "fragment " + name + " has " + registers + " registers instead of " + expected);
        }
    }

    private static int read(int[] tile, int index) {
        Tracer.reads(tile, index);
        return tile[index];
    }
}
