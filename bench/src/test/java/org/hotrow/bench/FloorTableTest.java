package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FloorTableTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "0.0123, 0.012", "0.5, 0.500", "1.234, 1.23", "12.34, 12.3", "123.4, 123", "'12345.6','12,346'"
    })
    void printsThreeDigits(double value, String text) {
        assertThat(FloorTable.number(value)).isEqualTo(text);
    }
}
