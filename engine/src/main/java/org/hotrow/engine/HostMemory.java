package org.hotrow.engine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The machine's memory. What is larger is refused before it is touched, or the system would end this process for it. */
final class HostMemory {
    private HostMemory() {}

    /**
     * Refuses what is larger than all memory of the machine.
     *
     * @param what takes {@code bytes}, for the message
     * @param advice what to do instead
     * @throws EngineException with both numbers
     */
    static void require(long bytes, String what, String advice) {
        if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean machine) {
            require(bytes, machine.getTotalMemorySize(), what, advice);
        }
    }

    static void require(long bytes, long memory, String what, String advice) {
        if (bytes > memory) {
            throw new EngineException(
                    what + ": " + bytes + " bytes, but this machine has " + memory + " bytes of memory: " + advice);
        }
    }
}
