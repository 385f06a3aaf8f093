package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

class WorkersTest {
    private static final long MUCH = 1 << 20;

    @Test
    void leaveLittleWorkToTheCaller() {
        try (Workers workers = new Workers(2)) {
            Thread caller = Thread.currentThread();
            workers.run(100, 10, (worker, from, to) -> {
                assertThat(Thread.currentThread()).isSameAs(caller);
                assertThat(to - from).isEqualTo(100);
            });
        }
    }

    @Test
    void doEveryItemOnce() {
        for (int team : new int[] {1, 2, 3, 7}) {
            try (Workers workers = new Workers(team)) {
                for (int n : new int[] {0, 1, 2, 3, 6, 7, 8, 100, 1001}) {
                    AtomicIntegerArray done = new AtomicIntegerArray(n);
                    workers.run(n, MUCH, (worker, from, to) -> {
                        assertThat(worker).isBetween(0, team - 1);
                        for (int i = from; i < to; i++) {
                            done.incrementAndGet(i);
                        }
                    });
                    for (int i = 0; i < n; i++) {
                        assertThat(done.get(i)).isEqualTo(1);
                    }
                }
            }
        }
    }

    @Test
    void seeWhatTheCallerWroteAndShowWhatTheyWrite() {
        try (Workers workers = new Workers(2)) {
            long[] values = new long[64];
            for (int round = 0; round < 20_000; round++) {
                workers.run(64, MUCH, (worker, from, to) -> {
                    for (int i = from; i < to; i++) {
                        values[i]++;
                    }
                });
                for (int i = 0; i < 64; i++) {
                    values[i]++;
                }
            }
            assertThat(values).containsOnly(40_000);
        }
    }

    @Test
    void throwWhatAnyShareThrewAndGoOn() {
        try (Workers workers = new Workers(2)) {
            for (int bad : new int[] {0, 5}) {
                assertThatThrownBy(() -> workers.run(10, MUCH, (worker, from, to) -> {
                            if (from == bad) {
                                throw new IllegalStateException("item " + from);
                            }
                        }))
                        .hasMessage("item " + bad);
            }
            workers.run(10, MUCH, (worker, from, to) -> {});
        }
    }

    /** Whoever does them, items come in the same runs: three for little work, more for much. */
    @Test
    void splitInTheSameRunsAlways() {
        try (Workers workers = new Workers(3)) {
            for (int round = 0; round < 1_000; round++) {
                AtomicIntegerArray ends = new AtomicIntegerArray(10);
                workers.run(10, 50_000, (worker, from, to) -> ends.set(from, to));
                assertThat(ends).hasToString("[3, 0, 0, 6, 0, 0, 10, 0, 0, 0]");
                workers.run(10, MUCH, (worker, from, to) -> ends.set(from, to));
                assertThat(ends).hasToString("[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]");
            }
        }
    }

    @Test
    void refuseWorkWhenClosed() {
        Workers workers = new Workers(2);
        workers.close();
        assertThatThrownBy(() -> workers.run(4, MUCH, (worker, from, to) -> {}))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new Workers(0)).hasMessageContaining("threads");
    }
}
