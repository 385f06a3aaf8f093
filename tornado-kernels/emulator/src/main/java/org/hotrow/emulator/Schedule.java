package org.hotrow.emulator;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** The order of groups, and of a group's work-items between two barriers: the seed alone decides it. */
final class Schedule {
    private final @Nullable SplittableRandom random;

    Schedule(long seed) {
        random = seed == 0 ? null : new SplittableRandom(seed);
    }

    /** Numbers 0 to count - 1, shuffled. */
    int[] order(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            order[i] = i;
        }
        shuffle(order);
        return order;
    }

    /** Gives the numbers another order, unless the seed asks for the ascending one. */
    void shuffle(int[] order) {
        if (random == null) {
            return;
        }
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
    }
}
