package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The layouts of mma.m16n8k16 and m16n8k32 in the PTX ISA, read off its figures for some lanes. */
class MatrixLayoutTest {
    @Test
    void registersOfA() {
        // Lane 6 is row 1, bytes 8 to 11: then 8 rows on, 16 bytes on, and both.
        assertThat(place(Matrix.rowOfA(6, 0), Matrix.byteOfA(6, 0))).isEqualTo("1,8");
        assertThat(place(Matrix.rowOfA(6, 1), Matrix.byteOfA(6, 1))).isEqualTo("9,8");
        assertThat(place(Matrix.rowOfA(6, 2), Matrix.byteOfA(6, 2))).isEqualTo("1,24");
        assertThat(place(Matrix.rowOfA(31, 3), Matrix.byteOfA(31, 3))).isEqualTo("15,28");
    }

    @Test
    void registersOfB() {
        assertThat(Matrix.byteOfB(6, 0)).isEqualTo(8);
        assertThat(Matrix.byteOfB(6, 1)).isEqualTo(24);
    }

    @Test
    void elementsOfC() {
        assertThat(place(Matrix.rowOfC(6, 0), Matrix.columnOfC(6, 0))).isEqualTo("1,4");
        assertThat(place(Matrix.rowOfC(6, 1), Matrix.columnOfC(6, 1))).isEqualTo("1,5");
        assertThat(place(Matrix.rowOfC(6, 2), Matrix.columnOfC(6, 2))).isEqualTo("9,4");
        assertThat(place(Matrix.rowOfC(6, 3), Matrix.columnOfC(6, 3))).isEqualTo("9,5");
    }

    @Test
    void lanesShareNothing() {
        Set<String> a = new HashSet<>();
        Set<String> c = new HashSet<>();
        for (int lane = 0; lane < 32; lane++) {
            for (int i = 0; i < 4; i++) {
                a.add(place(Matrix.rowOfA(lane, i), Matrix.byteOfA(lane, i)));
                c.add(place(Matrix.rowOfC(lane, i), Matrix.columnOfC(lane, i)));
            }
        }

        assertThat(a).hasSize(16 * 32 / 4);
        assertThat(c).hasSize(16 * 8);
    }

    private static String place(int row, int column) {
        return row + "," + column;
    }
}
