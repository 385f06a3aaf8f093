package uk.ac.manchester.tornado.api.types;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.vectors.Half2;

/** Sums and products of halves are exact in doubles, so that one search finds the right half. */
class HalfArithmeticTest {
    private static final int PAIRS = 200_000;

    @Test
    void resultsAreRoundedOnce() {
        Random random = new Random(7);
        for (int i = 0; i < PAIRS; i++) {
            HalfFloat a = finite(random);
            HalfFloat b = finite(random);
            double x = a.getFloat32();
            double y = b.getFloat32();
            assertHalf(HalfFloat.add(a, b), x + y, a, b);
            assertHalf(HalfFloat.sub(a, b), x - y, a, b);
            assertHalf(HalfFloat.mult(a, b), x * y, a, b);
            if (y != 0) {
                // Not exact, but a quotient of 11-bit numbers is never so near to a middle that 53 bits miss it.
                assertHalf(HalfFloat.div(a, b), x / y, a, b);
            }
        }
    }

    @Test
    void nanThatArisesIsCanonical() {
        HalfFloat infinity = new HalfFloat((short) 0x7C00);
        assertThat(HalfFloat.sub(infinity, infinity).getHalfFloatValue()).isEqualTo((short) 0x7FFF);
        assertThat(HalfFloat.add(new HalfFloat((short) 0xFE01), infinity).getHalfFloatValue())
                .isEqualTo((short) 0x7FFF);
    }

    @Test
    void pairsCalculateInEachLane() {
        Half2 a = Half2.fromFloats(1.5f, -2f);
        Half2 b = Half2.fromFloats(4f, 0.25f);
        assertThat(lanes(Half2.add(a, b))).containsExactly(5.5f, -1.75f);
        assertThat(lanes(Half2.sub(a, b))).containsExactly(-2.5f, -2.25f);
        assertThat(lanes(Half2.mult(a, b))).containsExactly(6f, -0.5f);
        a.setX(b.getY());
        a.setY(b.getX());
        assertThat(lanes(a)).containsExactly(0.25f, 4f);
        assertThat(lanes(new Half2())).containsExactly(0f, 0f);
    }

    private static float[] lanes(Half2 pair) {
        return new float[] {Half2.lowFloat(pair), Half2.highFloat(pair)};
    }

    private static HalfFloat finite(Random random) {
        short bits = (short) random.nextInt();
        return (bits & 0x7C00) == 0x7C00 ? finite(random) : new HalfFloat(bits);
    }

    private static void assertHalf(HalfFloat actual, double exact, HalfFloat a, HalfFloat b) {
        int expected = FloatFormat.HALF.nearest(exact);
        if ((actual.getHalfFloatValue() & 0xFFFF) != expected) {
            assertThat(Integer.toHexString(actual.getHalfFloatValue() & 0xFFFF))
                    .as("%s and %s", a, b)
                    .isEqualTo(Integer.toHexString(expected));
        }
    }
}
