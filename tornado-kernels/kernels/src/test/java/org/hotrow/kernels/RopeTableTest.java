package org.hotrow.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RopeTableTest {
    private static final Goldens PLAIN = Goldens.load("golden_kernels");
    private static final Goldens YARN = Goldens.load("golden_rope");

    @Test
    void plainFrequenciesAreTheGoldenBits() {
        assertThat(RopeTable.inverseFrequencies(8e6, 64)).isEqualTo(PLAIN.floats("rope_inv_freq"));
    }

    @Test
    void yarnFrequenciesAreTheGoldenBits() {
        assertThat(RopeTable.yarnInverseFrequencies(10000, 64, 40, 64, 32, 1, true))
                .isEqualTo(YARN.floats("inv_freq"));
    }

    @Test
    void plainTableIsWithinOneUlpOfTheGoldensUpToTheLongestContext() {
        RopeTable table = new RopeTable(RopeTable.inverseFrequencies(8e6, 64), 1);
        assertTable(table, PLAIN.longs("rope_pos"), PLAIN.floats("rope_cos_f32"), PLAIN.floats("rope_sin_f32"));
        assertThat(PLAIN.longs("rope_pos")).contains(1_048_575);
    }

    @Test
    void yarnTableIsWithinOneUlpOfTheGoldens() {
        float factor = YARN.floats("cos_sin_factor")[0];
        RopeTable table = new RopeTable(RopeTable.yarnInverseFrequencies(10000, 64, 40, 64, 32, 1, true), factor);
        assertTable(table, YARN.longs("pos"), YARN.floats("cos"), YARN.floats("sin"));
    }

    private static void assertTable(RopeTable table, long[] positions, float[] goldenCos, float[] goldenSin) {
        float[] cos = new float[32];
        float[] sin = new float[32];
        for (int row = 0; row < positions.length; row++) {
            table.at((int) positions[row], cos, sin);
            for (int i = 0; i < 32; i++) {
                String where = "pair " + i + " of position " + positions[row];
                assertWithinOneUlp(where, cos[i], goldenCos[row * 32 + i]);
                assertWithinOneUlp(where, sin[i], goldenSin[row * 32 + i]);
            }
        }
    }

    private static void assertWithinOneUlp(String where, float actual, float golden) {
        assertThat(Math.abs((double) actual - golden)).as(where).isLessThanOrEqualTo(Math.ulp(golden));
    }

    /** The formula of the YaRN paper in double precision, over contexts, ramps and widths that no golden covers. */
    @ParameterizedTest
    @CsvSource({
        "10000, 64, 40, 4096, 32, 1, true",
        "10000, 64, 40, 4096, 32, 1, false",
        "10000, 64, 4, 64, 32, 1, false",
        "1000000, 48, 8, 32768, 32, 1, true",
        "10000, 2, 40, 4096, 32, 1, true",
        "10000, 6, 40, 100000, 16, 2, false",
        "10000, 64, 40, 6, 32, 1, true",
        "150000, 64, 32, 4096, 32, 1, false"
    })
    void yarnBlendsFastAndSlowPairs(
            double theta, int dim, double factor, int context, double betaFast, double betaSlow, boolean truncate) {
        float[] actual = RopeTable.yarnInverseFrequencies(theta, dim, factor, context, betaFast, betaSlow, truncate);
        double low = dim * Math.log(context / (2 * Math.PI * betaFast)) / (2 * Math.log(theta));
        double high = dim * Math.log(context / (2 * Math.PI * betaSlow)) / (2 * Math.log(theta));
        low = Math.max(truncate ? Math.floor(low) : low, 0);
        high = Math.min(truncate ? Math.ceil(high) : high, dim - 1);
        assertThat(actual).hasSize(dim / 2);
        for (int i = 0; i < actual.length; i++) {
            double plain = Math.pow(theta, -2.0 * i / dim);
            double slow = i <= low ? 0 : i >= high ? 1 : (i - low) / (high - low);
            double expected = slow * plain / factor + (1 - slow) * plain;
            assertThat((double) actual[i]).as("pair %d", i).isCloseTo(expected, within(1e-6 * expected));
        }
    }

    /** The double power is off by about an ulp: only that close to the middle of two floats could it round wrongly. */
    @ParameterizedTest
    @ValueSource(doubles = {1e4, 1e6, 8e6})
    void noPeriodIsNearTheMiddleOfTwoFloats(double theta) {
        for (int i = 0; i < 32; i++) {
            double period = StrictMath.pow(theta, i / 32.0);
            float nearest = (float) period;
            double distance = Math.abs(period - nearest);
            assertThat(Math.ulp(nearest) / 2 - distance).as("pair %d", i).isGreaterThan(8 * Math.ulp(period));
        }
    }

    @Test
    void scalesCosineAndSine() {
        float[] frequencies = {1f, 0.1f};
        float[] cos = new float[2];
        float[] sin = new float[2];
        new RopeTable(frequencies, 0.5f).at(3, cos, sin);
        assertThat(cos).containsExactly((float) Math.cos(3f) * 0.5f, (float) Math.cos(3 * 0.1f) * 0.5f);
        assertThat(sin).containsExactly((float) Math.sin(3f) * 0.5f, (float) Math.sin(3 * 0.1f) * 0.5f);
    }

    @Test
    void keepsItsOwnFrequencies() {
        float[] frequencies = {1f};
        RopeTable table = new RopeTable(frequencies, 1);
        frequencies[0] = 0;
        float[] cos = new float[1];
        float[] sin = new float[1];
        table.at(1, cos, sin);
        assertThat(cos[0]).isEqualTo((float) Math.cos(1));
    }

    @Test
    void refusesBadParameters() {
        assertThatIllegalArgumentException().isThrownBy(() -> RopeTable.inverseFrequencies(1e4, 63));
        assertThatIllegalArgumentException().isThrownBy(() -> RopeTable.inverseFrequencies(1e4, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> RopeTable.inverseFrequencies(1, 64));
        assertThatIllegalArgumentException().isThrownBy(() -> RopeTable.inverseFrequencies(Double.NaN, 64));
        assertThatIllegalArgumentException().isThrownBy(() -> RopeTable.inverseFrequencies(1e39, 64));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RopeTable.yarnInverseFrequencies(1e4, 64, 0, 64, 32, 1, true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RopeTable.yarnInverseFrequencies(1e4, 64, 40, 0, 32, 1, true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RopeTable.yarnInverseFrequencies(1e4, 64, 40, 64, 0, 1, true));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RopeTable.yarnInverseFrequencies(1e4, 64, 40, 64, 32, Double.NaN, true));
        RopeTable table = new RopeTable(new float[] {1f}, 1);
        assertThatIllegalArgumentException().isThrownBy(() -> table.at(-1, new float[1], new float[1]));
    }

    @Test
    void cosinesAndSinesAreThoseOfStrictMath() {
        float[] frequencies = RopeTable.inverseFrequencies(8e6, 64);
        RopeTable table = new RopeTable(frequencies, 1f);
        float[] cos = new float[32];
        float[] sin = new float[32];
        for (int position = 0; position < 1 << 20; position += 97) {
            table.at(position, cos, sin);
            for (int i = 0; i < 32; i++) {
                float angle = position * frequencies[i];
                assertThat(cos[i]).isEqualTo((float) StrictMath.cos(angle));
                assertThat(sin[i]).isEqualTo((float) StrictMath.sin(angle));
            }
        }
    }
}
