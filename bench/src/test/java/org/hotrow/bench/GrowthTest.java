package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class GrowthTest {
    private static List<Measured> sizes(String name, String parameter, DoubleUnaryOperator cost) {
        List<Measured> all = new ArrayList<>();
        for (int size : new int[] {65_536, 1024, 8192}) {
            all.add(new Measured(
                    name,
                    Map.of(parameter, Integer.toString(size)),
                    "us/op",
                    List.of(cost.applyAsDouble(size)),
                    Map.of()));
        }
        return all;
    }

    private static Growth growth(String name, String parameter, DoubleUnaryOperator cost) {
        List<Growth> found = Growth.of(sizes(name, parameter, cost));
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void findsThePower() {
        Growth linear = growth("IndexScore select", "keys", n -> 3 * n);
        assertThat(linear.exponent()).isEqualTo(1, within(1e-12));
        assertThat(linear.asExpected()).isTrue();
        assertThat(linear.fitted(2000)).isEqualTo(6000, within(1e-6));
        assertThat(growth("IndexScore select", "keys", n -> n * n).asExpected()).isFalse();
    }

    /** The time of a request grows with its pages; that of a page must not. */
    @Test
    void takesTheAllocatorsTimePerPage() {
        Growth constant = growth("Allocator request", "pages", n -> 2 * n);
        assertThat(constant.exponent()).isEqualTo(0, within(1e-12));
        assertThat(constant.asExpected()).isTrue();
        assertThat(constant.row())
                .isEqualTo("| allocator, a page of a request, by its pages | 1,024: 2.00 us | 65,536: 2.00 us | 0.00"
                        + " | 0 | yes |");
        assertThat(growth("Allocator request", "pages", n -> 2 * n * Math.sqrt(n))
                        .row())
                .endsWith("| 0.50 | 0 | **no** |");
    }

    @Test
    void isFlatForAttention() {
        assertThat(growth("SparseAttention attend", "cached", n -> 5).asExpected())
                .isTrue();
        assertThat(growth("SparseAttention attend", "cached", n -> n).asExpected())
                .isFalse();
        List<Measured> one = sizes("SparseAttention attend", "cached", n -> 5).subList(0, 1);
        assertThat(Growth.of(one)).isEmpty();
    }
}
