package org.hotrow.kernels;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HadamardTest {
    @Test
    void transformsTheGoldensToTheBit() {
        Goldens goldens = Goldens.load("golden_kernels");
        float[] x = goldens.floats("hadamard_in");
        for (int from = 0; from < x.length; from += 128) {
            Hadamard.transform(x, from, 128);
        }
        assertThat(x).isEqualTo(goldens.floats("hadamard_out"));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 64, 128, 256})
    void isTheSumWithAlternatingSigns(int length) {
        Random random = new Random(length);
        int from = 2;
        float[] x = new float[from + length + 1];
        for (int i = 0; i < x.length; i++) {
            x[i] = (float) random.nextGaussian() * Math.scalb(1f, random.nextInt(-10, 10));
        }
        float[] y = x.clone();
        Hadamard.transform(y, from, length);
        for (int i = 0; i < length; i++) {
            double sum = 0;
            for (int j = 0; j < length; j++) {
                sum += Integer.bitCount(i & j) % 2 == 0 ? x[from + j] : -x[from + j];
            }
            double expected = sum / Math.sqrt(length);
            assertThat((double) y[from + i]).isCloseTo(expected, within(Math.ulp(1f) * Math.abs(expected)));
        }
        assertThat(new float[] {y[0], y[1], y[from + length]}).containsExactly(x[0], x[1], x[from + length]);
    }

    @Test
    void spreadsOneNaNOverTheWholeVector() {
        float[] x = new float[8];
        x[3] = Float.NaN;
        Hadamard.transform(x, 0, 8);
        for (float value : x) {
            assertThat(value).isNaN();
        }
    }

    @Test
    void sumsWithoutOverflow() {
        float[] x = new float[4];
        Arrays.fill(x, Float.MAX_VALUE / 2);
        Hadamard.transform(x, 0, 4);
        assertThat(x).containsExactly(Float.MAX_VALUE, 0f, 0f, 0f);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 127, -8, Integer.MIN_VALUE})
    void refusesOtherLengthsThanPowersOfTwo(int length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Hadamard.transform(new float[256], 0, length))
                .withMessageContaining(String.valueOf(length));
    }
}
