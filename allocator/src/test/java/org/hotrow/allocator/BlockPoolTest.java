package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockPoolTest {
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 64})
    void handsOutEveryBlockButTheNullBlockOnce(int total) {
        BlockPool pool = new BlockPool(total);
        for (int block = 1; block < total; block++) {
            assertThat(pool.free()).isEqualTo(total - block);
            assertThat(pool.take()).contains(new BlockId(block));
        }
        assertThat(pool.free()).isZero();
        assertThat(pool.total()).isEqualTo(total);
    }

    @Test
    void staysEmptyWhenExhausted() {
        BlockPool pool = new BlockPool(2);
        assertThat(pool.take()).isPresent();
        for (int i = 0; i < 3; i++) {
            assertThat(pool.take()).isEmpty();
            assertThat(pool.free()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 0, -1, Integer.MIN_VALUE})
    void refusesAPoolOfTheNullBlockAlone(int total) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new BlockPool(total))
                .withMessageContaining("" + total);
    }
}
