package org.hotrow.engine;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The machine's memory. What is larger is refused before it is touched, or the system would end this process for it. */
final class MachineMemory {
    private MachineMemory() {}

    /**
     * Refuses what is larger than all memory of the machine.
     *
     * @param what takes {@code bytes}, for the message
     * @param advice what to do instead
     * @throws EngineException with both numbers
     */
    static void require(long bytes, String what, String advice) {
        require(bytes, bytes(), what, advice);
    }

    /** Bytes of all memory of the machine. */
    static long bytes() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getTotalMemorySize();
    }

    static void require(long bytes, long memory, String what, String advice) {
        if (bytes > memory) {
            throw new EngineException(
                    what + ": " + bytes + " bytes, but this machine has " + memory + " bytes of memory: " + advice);
        }
    }
}
