package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HostPoolTest {
    private static final KvGeometry GEOMETRY = KvGeometry.of(3, List.of(0, 2), 24, 128, 9);
    private static final long PAGE_BYTES = 3 * 64 * 24 + 2 * 128;

    /** Memory that fails when told to, and notices every misuse. */
    private static class FailingMemory implements HostMemory {
        /** Closed by {@link #release}. */
        static final class Given {
            final Arena arena = Arena.ofConfined();
        }

        final Map<MemorySegment, Given> given = new HashMap<>();
        final List<Long> sizes = new ArrayList<>();
        int allocationsLeft = Integer.MAX_VALUE;
        int failingReleases;
        long available = Long.MAX_VALUE;

        @Override
        public long available() {
            return available;
        }

        @Override
        public MemorySegment allocate(long bytes) {
            if (allocationsLeft-- == 0) {
                throw new HostMemoryException("no more");
            }
            Given next = new Given();
            MemorySegment chunk = next.arena.allocate(bytes, 8);
            given.put(chunk, next);
            sizes.add(bytes);
            return chunk;
        }

        @Override
        public void release(MemorySegment chunk) {
            assertThat(given).containsKey(chunk);
            if (failingReleases-- > 0) {
                throw new HostMemoryException("stuck");
            }
            Objects.requireNonNull(given.remove(chunk)).arena.close();
        }
    }

    private static HostPool open(HostMemory memory, int pages, int pagesPerChunk) {
        return HostPool.open(memory, GEOMETRY, pages, pagesPerChunk * PAGE_BYTES + 5, System::nanoTime);
    }

    /** vllm#57019: every layer of every page has bytes of its own, whatever the chunks. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 8, 100})
    void everyLayerAndAnchorHasBytesOfItsOwn(int pagesPerChunk) {
        assertThat(GEOMETRY.hostPageBytes()).isEqualTo(PAGE_BYTES);
        try (HostPool pool = open(HostMemory.plain(), 7, pagesPerChunk)) {
            for (int pass = 0; pass < 2; pass++) {
                for (int page = 0; page <= 7; page++) {
                    for (int layer = 0; layer < 3; layer++) {
                        tag(pool.rows(new HostPageId(page), layer), 64 * 24, 100 * page + layer, pass);
                    }
                    for (int anchor : new int[] {0, 2}) {
                        tag(pool.keys(new HostPageId(page), anchor), 128, 100 * page + 50 + anchor, pass);
                    }
                }
            }
        }
    }

    /** Writes a tag to all longs in pass 0, and expects it in pass 1. */
    private static void tag(MemorySegment bytes, long size, long tag, int pass) {
        assertThat(bytes.byteSize()).isEqualTo(size);
        for (int i = 0; i < size / 8; i++) {
            if (pass == 0) {
                bytes.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, tag);
            } else {
                assertThat(bytes.getAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i)).isEqualTo(tag);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"7, 1, 8", "7, 3, 3", "7, 8, 1", "7, 100, 1", "8, 3, 3", "1, 1, 2"})
    void chunksHoldWholePages(int pages, int pagesPerChunk, int chunks) {
        FailingMemory memory = new FailingMemory();
        try (HostPool pool = open(memory, pages, pagesPerChunk)) {
            assertThat(memory.sizes).hasSize(chunks).allMatch(size -> size % PAGE_BYTES == 0);
            assertThat(memory.sizes.stream().mapToLong(Long::longValue).sum()).isEqualTo((pages + 1) * PAGE_BYTES);
            assertThat(pool.pages()).isEqualTo(pages);
        }
        assertThat(memory.given).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 7})
    void failureHalfWayReleasesEverything(int successes) {
        FailingMemory memory = new FailingMemory();
        memory.allocationsLeft = successes;
        assertThatExceptionOfType(HostMemoryException.class)
                .isThrownBy(() -> open(memory, 7, 1))
                .withMessage("no more");
        assertThat(memory.sizes).hasSize(successes);
        assertThat(memory.given).isEmpty();
    }

    @Test
    void failureToReleaseAfterAFailureIsNotSwallowed() {
        FailingMemory memory = new FailingMemory();
        memory.allocationsLeft = 3;
        memory.failingReleases = 1;
        assertThatExceptionOfType(HostMemoryException.class)
                .isThrownBy(() -> open(memory, 7, 1))
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessageContaining("1 of 3 chunks"));
        assertThat(memory.given).hasSize(1);
    }

    @Test
    void closingAgainDoesNothingAndThePagesAreGone() {
        FailingMemory memory = new FailingMemory();
        HostPool pool = open(memory, 7, 2);
        MemorySegment rows = pool.rows(new HostPageId(3), 1);
        pool.close();
        pool.close();
        assertThat(memory.given).isEmpty();
        assertThatIllegalStateException().isThrownBy(() -> rows.get(ValueLayout.JAVA_BYTE, 0));
        assertThatIllegalStateException().isThrownBy(() -> pool.page(new HostPageId(3)));
    }

    @Test
    void refusesToCloseWhileCopiesAreInFlight() {
        FailingMemory memory = new FailingMemory();
        HostPool pool = open(memory, 7, 2);
        pool.copyStarted();
        pool.copyStarted();
        pool.copyEnded();
        assertThatIllegalStateException().isThrownBy(pool::close).withMessageContaining("1 copies");
        assertThat(memory.given).hasSize(4);
        assertThat(pool.page(new HostPageId(7)).byteSize()).isEqualTo(PAGE_BYTES);
        pool.copyEnded();
        pool.close();
        assertThat(memory.given).isEmpty();
        assertThatIllegalStateException().isThrownBy(pool::copyEnded);
    }

    @Test
    void chunksThatStayAreReleasedByTheNextClose() {
        FailingMemory memory = new FailingMemory();
        HostPool pool = open(memory, 7, 2);
        memory.failingReleases = 1;
        assertThatExceptionOfType(HostMemoryException.class)
                .isThrownBy(pool::close)
                .withMessageContaining("1 of 4 chunks")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("stuck"));
        assertThat(memory.given).hasSize(1);
        assertThatIllegalStateException().isThrownBy(() -> pool.page(new HostPageId(1)));
        pool.close();
        assertThat(memory.given).isEmpty();
    }

    /** Each release takes 25 seconds of a clock that only it moves. */
    @Test
    void closeStopsAfterAMinute() {
        long[] now = {Long.MAX_VALUE - 5};
        FailingMemory memory = new FailingMemory() {
            @Override
            public void release(MemorySegment chunk) {
                now[0] += 25_000_000_000L;
                super.release(chunk);
            }
        };
        HostPool pool = HostPool.open(memory, GEOMETRY, 7, PAGE_BYTES, () -> now[0]);
        assertThatExceptionOfType(HostMemoryException.class)
                .isThrownBy(pool::close)
                .withMessageContaining("5 of 8 chunks");
        assertThat(memory.given).hasSize(5);
        assertThatExceptionOfType(HostMemoryException.class).isThrownBy(pool::close);
        pool.close();
        assertThat(memory.given).isEmpty();
    }

    @Test
    void refusesMoreThan95PercentOfTheFreeMemory() {
        FailingMemory memory = new FailingMemory();
        memory.available = 100 * 8 * PAGE_BYTES / 95 + 100;
        open(memory, 7, 2).close();
        memory.available = 100 * 8 * PAGE_BYTES / 95 - 100;
        assertThatExceptionOfType(HostMemoryException.class)
                .isThrownBy(() -> open(memory, 7, 2))
                .withMessageContaining("7 pages takes " + 8 * PAGE_BYTES + " bytes")
                .withMessageContaining("95 % of the " + memory.available)
                .withMessageContaining("at most 6 pages");
        assertThatExceptionOfType(HostMemoryException.class).isThrownBy(() -> open(memory, 0, 2));
        assertThatExceptionOfType(HostMemoryException.class)
                .isThrownBy(() -> HostPool.open(memory, GEOMETRY, 2, PAGE_BYTES - 1, System::nanoTime))
                .withMessageContaining("larger than a chunk");
    }

    @Test
    void plainMemoryIsOffTheHeapAndKnowsWhatIsFree() {
        HostMemory memory = HostMemory.plain();
        assertThat(memory.available()).isGreaterThan(1 << 20);
        MemorySegment chunk = memory.allocate(1 << 20);
        assertThat(chunk.isNative()).isTrue();
        memory.release(chunk);
        assertThatIllegalStateException().isThrownBy(() -> chunk.get(ValueLayout.JAVA_BYTE, 0));
    }

    /** Bytes of a host page of the published configuration: rows alone 3,274,752. */
    @Test
    void hostPagesOfGlm53() {
        assertThat(Glm.V53.of(100).hostPageBytes()).isEqualTo(3_274_752 + 21 * 8448);
        assertThat(HostPool.pages(Glm.V53.of(100), 384L << 30)).isEqualTo((384L << 30) / 3_452_160 - 1);
    }
}
