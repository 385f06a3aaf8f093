package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PublishedSeatsTest {
    private static final int K = 1024;
    private static final int MILLION = 1 << 20;

    @ParameterizedTest
    @CsvSource({
        "32, 12, 10, 56, 49, 27, 24",
        "80, 4, 4, 39, 35, 22, 20",
        "128, 3, 2, 30, 27, 19, 17",
        "256, 1, 1, 19, 16, 14, 12",
        "1024, 0, 0, 5, 5, 5, 4"
    })
    void reproducesThePublishedTable(
            int lengthK, int resident576, int resident656, int hot4k576, int hot4k656, int hot10k576, int hot10k656) {
        int tokens = lengthK * K;
        assertThat(Stream.of(PublishedSeats.ROW_576, PublishedSeats.ROW_656)
                        .flatMap(rows -> Stream.of(
                                        rows.resident(tokens), rows.hybrid(tokens, 4096), rows.hybrid(tokens, 10_240))
                                .map(Math::toIntExact)))
                .containsExactly(resident576, hot4k576, hot10k576, resident656, hot4k656, hot10k656);
    }

    @ParameterizedTest
    @ValueSource(ints = {2048, 4096, 6144, 10_240})
    void oursAreAtLeastThePublishedOnesAtEveryLength(int hotRows) {
        KvGeometry geometry = Glm.V53.in(PublishedSeats.poolBytes());
        for (int tokens = 1; tokens <= MILLION; tokens += tokens < 10_000 ? 1 : 61) {
            assertThat((long) geometry.seats(tokens, hotRows))
                    .as("%d tokens", tokens)
                    .isGreaterThanOrEqualTo(PublishedSeats.ROW_656.hybrid(tokens, hotRows));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 80, 128, 256, 1024})
    void oursAreAtLeastThePublishedResidentOnes(int lengthK) {
        assertThat((long) Glm.V53.in(PublishedSeats.poolBytes()).seats(lengthK * K, 10_240))
                .isGreaterThan(PublishedSeats.ROW_656.resident(lengthK * K));
    }

    /** The pool of the comparison is 17.8 GiB. */
    @ParameterizedTest
    @CsvSource({
        "V53, 32, 4096, 60", "V53, 80, 4096, 41", "V53, 128, 4096, 32", "V53, 256, 4096, 19", "V53, 1024, 4096, 5",
        "V53, 32, 10240, 30", "V53, 80, 10240, 24", "V53, 128, 10240, 21", "V53, 256, 10240, 14", "V53, 1024, 10240, 5",
    })
    void seatsOfGlm53(Glm model, int lengthK, int hotRows, int seats) {
        assertThat(model.in(PublishedSeats.poolBytes()).seats(lengthK * K, hotRows))
                .isEqualTo(seats);
    }

    @Test
    void shortRequestsNeedNoHotRegion() {
        KvGeometry geometry = KvGeometry.of(2, List.of(0), 8, 64, 100);
        assertThat(geometry.indexTokensPerBlock()).isEqualTo(16 * 64);
        assertThat(IntStream.of(1, 64, 65, 7 * 64, 7 * 64 + 1, 100_000)
                        .map(tokens -> geometry.steadyBlocks(tokens, 4 * 64)))
                .containsExactly(2, 2, 3, 8, 8, 98 + 7);
        assertThat(geometry.smallestPool(100_000, 4 * 64 - 1)).isEqualTo(1 + 98 + 4 + 3);
    }
}
