package org.hotrow.emulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StampsTest {
    private record Access(int group, int interval, int item) {
        boolean conflicts(Access other) {
            return group != other.group || (interval == other.interval && item != other.item);
        }

        long stamp(int site) {
            return Stamps.stamp(group, interval, item, site);
        }
    }

    /** Three stamps of an element find a conflict whenever a list of all accesses has one. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void findAConflictWheneverThereIsOne(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 500; round++) {
            Stamps stamps = new Stamps(3000);
            int index = random.nextInt(3000);
            List<Access> all = new ArrayList<>();
            int groups = random.nextInt(1, 4);
            for (int group = 0; group < groups; group++) {
                for (int interval = 0; interval < random.nextInt(1, 4); interval++) {
                    for (int i = 0; i < random.nextInt(4); i++) {
                        Access now = new Access(group, interval, random.nextInt(3));
                        long found = stamps.conflict(index, now.stamp(1));
                        assertThat(found != 0).isEqualTo(all.stream().anyMatch(now::conflicts));
                        if (found != 0) {
                            assertThat(all).anyMatch(a -> a.conflicts(now) && a.stamp(Stamps.site(found)) == found);
                        }
                        stamps.add(index, now.stamp(all.size() + 1));
                        all.add(now);
                    }
                }
            }
            assertThat(stamps.conflict((index + 1) % 3000, new Access(9, 9, 9).stamp(1)))
                    .isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 1023})
    void stampHoldsTheLargestNumbers(int item) {
        long stamp = Stamps.stamp(Stamps.MAX_GROUPS - 1, Stamps.MAX_INTERVALS - 1, item, 0xFFFF);

        assertThat(Stamps.group(stamp)).isEqualTo(Stamps.MAX_GROUPS - 1);
        assertThat(Stamps.item(stamp)).isEqualTo(item);
        assertThat(Stamps.site(stamp)).isEqualTo(0xFFFF);
    }
}
