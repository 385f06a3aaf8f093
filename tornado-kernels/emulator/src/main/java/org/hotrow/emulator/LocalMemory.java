package org.hotrow.emulator;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.emulator.KernelFault.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The local arrays of a group: the n-th allocation of every work-item is the group's n-th array, filled with poison.
 * Like the device, it wants each allocation reached once, by all work-items in the same order.
 */
final class LocalMemory {
    private static final int MAX_BYTES = 48 * 1024;

    private final List<LocalArray> arrays = new ArrayList<>();
    private final @Nullable Tracer tracer;
    private final @Nullable Meter meter;
    private final String kernel;
    private long bytes;

    LocalMemory(String kernel, @Nullable Tracer tracer, @Nullable Meter meter) {
        this.kernel = kernel;
        this.tracer = tracer;
        this.meter = meter;
    }

    /** For the tracer: grows as arrays are allocated. */
    List<LocalArray> arrays() {
        return arrays;
    }

    /** The array of an allocation. */
    Object allocate(int number, LocalType type, int elements) {
        if (number < arrays.size()) {
            return known(arrays.get(number), type, elements);
        }
        int site = tracer == null ? Sites.UNKNOWN : tracer.site();
        if (site != Sites.UNKNOWN && arrays.stream().anyMatch(array -> array.site() == site)) {
            throw fault("one work-item allocates a local array twice" + at(site) + ": allocate outside of loops");
        }
        // Shared memory is laid out in 16-byte steps.
        long offset = (bytes + 15) & -16;
        bytes = offset + (long) Math.max(elements, 0) * type.bytes();
        if (elements < 1 || bytes > MAX_BYTES) {
            throw fault("allocation of " + elements + " x " + type + at(site) + ", " + bytes
                    + " bytes of local memory in all; 1 to " + MAX_BYTES + " bytes are possible");
        }
        LocalArray array = new LocalArray(
                type, type.poisoned(elements), elements, site, shadow(type, elements, site, (int) offset));
        arrays.add(array);
        return array.array();
    }

    private @Nullable Shadow shadow(LocalType type, int elements, int site, int offset) {
        if (tracer == null) {
            return null;
        }
        String variable = tracer.sites().get(site).variable();
        String name = variable.isEmpty() ? "local array " + arrays.size() : variable;
        Shadow shadow = new Shadow(elements, type.bytes());
        shadow.attach(name, tracer, meter == null ? null : meter.local(name, type.bytes(), offset));
        return shadow;
    }

    private Object known(LocalArray array, LocalType type, int elements) {
        int site = tracer == null ? Sites.UNKNOWN : tracer.site();
        if (array.type() != type || array.elements() != elements || array.site() != site) {
            throw fault("allocation of " + array.elements() + " x " + array.type() + at(array.site())
                    + " in one work-item and " + elements + " x " + type + at(site) + " in another"
                    + " (all work-items must allocate the same arrays in the same order, outside of loops)");
        }
        return array.array();
    }

    private String at(int site) {
        return tracer == null ? "" : " at " + tracer.sites().get(site).source();
    }

    private KernelFault fault(String does) {
        return new KernelFault(Kind.LOCAL_MEMORY, kernel, ": " + does);
    }
}
