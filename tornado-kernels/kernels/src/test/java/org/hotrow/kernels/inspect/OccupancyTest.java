package org.hotrow.kernels.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OccupancyTest {
    /** By hand from the limits of compute capability 9.0. */
    @ParameterizedTest
    @CsvSource({
        "32, 0, 256, 64",
        "33, 0, 256, 48",
        "64, 0, 256, 32",
        "255, 0, 256, 8",
        "168, 0, 128, 12",
        "32, 49152, 256, 32",
        "32, 26112, 256, 64",
        "16, 0, 32, 32",
        "32, 0, 1024, 64",
        "32, 0, 288, 63",
        "96, 0, 32, 20"
    })
    void countsWarpsByTheScarcestResource(int registers, int sharedBytes, int groupSize, int warps) {
        assertThat(Occupancy.warps(registers, sharedBytes, groupSize)).isEqualTo(warps);
    }
}
