package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class PinnedHostMemoryTest {
    /** On a machine with a CUDA device the memory works; on any other the error says what is missing. */
    @Test
    void worksOrSaysWhatIsMissing() {
        if (!Files.exists(Path.of("/dev/nvidiactl"))) {
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
    }
}
