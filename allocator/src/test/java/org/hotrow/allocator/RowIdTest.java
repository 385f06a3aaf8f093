package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowIdTest {
    @ParameterizedTest
    @CsvSource({"1, 0, 64", "1, 63, 127", "2, 1, 129", "33554431, 63, 2147483647"})
    void isBlockTimes64PlusOffset(int block, int offset, int value) {
        RowId row = RowId.of(new BlockId(block), offset);
        assertThat(row.value()).isEqualTo(value);
        assertThat(row.block()).isEqualTo(new BlockId(block));
        assertThat(row.offset()).isEqualTo(offset);
    }

    @ParameterizedTest
    @CsvSource({"1, -1", "1, 64", "33554432, 0", "2147483647, 63", "0, 0", "0, 63"})
    void refusesRowsThatNoTokenCanHave(int block, int offset) {
        assertThatIllegalArgumentException().isThrownBy(() -> RowId.of(new BlockId(block), offset));
    }

    @ParameterizedTest
    @ValueSource(ints = {-2, 0, 63, Integer.MIN_VALUE})
    void refusesIdsThatAreNoRow(int value) {
        assertThatIllegalArgumentException().isThrownBy(() -> new RowId(value)).withMessageContaining("" + value);
    }

    @Test
    void maskedIdHasNoPlace() {
        assertThat(RowId.MASKED.value()).isEqualTo(-1);
        assertThatIllegalStateException().isThrownBy(RowId.MASKED::block);
        assertThatIllegalStateException().isThrownBy(RowId.MASKED::offset);
    }
}
