package org.hotrow.emulator;

/**
 * Where the elements of the tensor core's matrices are, by lane. With g = lane / 4 and t = lane % 4:
 *
 * <pre>
 * A 16 x (32 bytes): register r of 4, 4 bytes:  row g + 8 (r % 2), bytes 4t + 16 (r / 2) ..
 * B (32 bytes) x 8:  register r of 2, 4 bytes:  column g, bytes 4t + 16 r ..
 * C 16 x 8:          element i of 4:            row g + 8 (i / 2), column 2t + i % 2
 * </pre>
 *
 * <p>A and B hold 16 halves or 32 bytes along k. In local memory A is row-major; B is rows of 16 bytes, each two
 * bytes of k (one half, or two neighbours of 8 bits) of the 8 columns.
 */
final class Matrix {
    static final int ROWS = 16;
    static final int COLUMNS = 8;
    static final int A_REGISTERS = 4;
    static final int B_REGISTERS = 2;
    static final int C_ELEMENTS = 4;
    static final int REGISTER_BYTES = 4;
    /** A row of A, a column of B. */
    static final int DEPTH_BYTES = 32;

    private static final int B_ROW_BYTES = 16;

    private Matrix() {}

    static int rowOfA(int lane, int register) {
        return lane / 4 + 8 * (register % 2);
    }

    static int byteOfA(int lane, int register) {
        return 4 * (lane % 4) + 16 * (register / 2);
    }

    static int byteOfB(int lane, int register) {
        return 4 * (lane % 4) + 16 * register;
    }

    static int rowOfC(int lane, int element) {
        return lane / 4 + 8 * (element / 2);
    }

    static int columnOfC(int lane, int element) {
        return 2 * (lane % 4) + element % 2;
    }

    /** Byte of the tile at which a lane's register of A begins. */
    static int tileByteOfA(int lane, int register, int rowBytes) {
        return rowOfA(lane, register) * rowBytes + byteOfA(lane, register);
    }

    /** Byte of the tile at which half {@code half} of a lane's register of B begins. */
    static int tileByteOfB(int lane, int register, int half, boolean swizzled) {
        int row = byteOfB(lane, register) / 2 + half;
        int at = row * B_ROW_BYTES;
        return (swizzled ? Swizzle.wide(at) : at) + lane / 4 * 2;
    }
}
