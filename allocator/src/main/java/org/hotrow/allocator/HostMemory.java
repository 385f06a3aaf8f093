package org.hotrow.allocator;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/** Memory of the host, in large chunks. Not for use by several threads. */
public interface HostMemory {
    /** Memory that this process and the garbage collector know nothing of; no device can read it. */
    static HostMemory plain() {
        return new PlainHostMemory();
    }

    /**
     * Memory that a CUDA device reads and writes at the same addresses.
     *
     * @throws HostMemoryException if there is no CUDA driver or no device
     */
    static HostMemory pinned() {
        return new PinnedHostMemory();
    }

    /** Bytes that the machine could still give. */
    default long available() {
        try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
            return lines.filter(line -> line.startsWith("MemAvailable:"))
                            .map(line -> line.replaceAll("\\D", ""))
                            .mapToLong(Long::parseLong)
                            .findFirst()
                            .orElseThrow(() -> new IOException("no MemAvailable"))
                    * 1024;
        } catch (IOException noLinux) {
            return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                    .getFreeMemorySize();
        }
    }

    /**
     * A chunk; its bytes are whatever they were.
     *
     * @throws HostMemoryException if there is none
     */
    MemorySegment allocate(long bytes);

    /**
     * Gives a chunk back. Its segment can't be used any more.
     *
     * @throws HostMemoryException if that failed; the chunk may be given back once more
     */
    void release(MemorySegment chunk);
}
