package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pinned memory where a CUDA driver is on the library path, a real one or one that stands in for it; else its error. */
class PinnedHostMemoryTest {
    // Nothing but loading the driver tells whether it can be loaded.
    @SuppressWarnings("restricted")
    private static boolean hasDriver() {
        try (Arena arena = Arena.ofConfined()) {
            SymbolLookup.libraryLookup("libcuda.so.1", arena);
            return true;
        } catch (IllegalArgumentException notThere) {
            return false;
        }
    }

    @Test
    void worksOrSaysWhatIsMissing() {
        if (!hasDriver()) {
            assertThatExceptionOfType(HostMemoryException.class)
                    .isThrownBy(HostMemory::pinned)
                    .withMessageContaining("CUDA driver")
                    .withMessageContaining("plain host memory")
                    .withCauseInstanceOf(Throwable.class);
            return;
        }
        HostMemory memory = HostMemory.pinned();
        MemorySegment chunk = memory.allocate(1 << 20);
        chunk.fill((byte) 7);
        assertThat(chunk.get(ValueLayout.JAVA_BYTE, (1 << 20) - 1)).isEqualTo((byte) 7);
        memory.release(chunk);
        assertThatIllegalStateException().isThrownBy(() -> chunk.get(ValueLayout.JAVA_BYTE, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> memory.release(chunk));
    }

    @Test
    void aHostPoolLiesInIt() {
        if (!hasDriver()) {
            assertThatExceptionOfType(HostMemoryException.class).isThrownBy(HostMemory::pinned);
            return;
        }
        KvGeometry geometry = KvGeometry.of(3, List.of(0, 2), 656, 8448, 100);
        try (HostPool pool =
                HostPool.open(HostMemory.pinned(), geometry, 20, 7 * geometry.hostPageBytes(), System::nanoTime)) {
            assertThat(pool.chunks()).hasSize(3);
            for (int page = 0; page <= 20; page++) {
                pool.page(new HostPageId(page)).fill((byte) page);
            }
            for (int page = 0; page <= 20; page++) {
                MemorySegment keys = pool.keys(new HostPageId(page), 2);
                assertThat(keys.get(ValueLayout.JAVA_BYTE, keys.byteSize() - 1)).isEqualTo((byte) page);
            }
        }
    }
}
