package uk.ac.manchester.tornado.api;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.hotrow.emulator.ArrayMemory;
import uk.ac.manchester.tornado.api.exceptions.TornadoMemoryException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The device copies of a graph's arrays. Memory that nothing was copied to is filled with 0xFF. */
final class DeviceMemory {
    private static final byte POISON = (byte) 0xFF;

    private final Map<TornadoNativeArray, TornadoNativeArray> copies = new LinkedHashMap<>();
    private final Set<TornadoNativeArray> readInPart = new HashSet<>();

    /** The device copy of an array. */
    TornadoNativeArray copyOf(TornadoNativeArray array) {
        TornadoNativeArray copy = copies.get(array);
        if (copy == null) {
            throw new TornadoMemoryException(array + " has no device memory: it was freed or never allocated");
        }
        return copy;
    }

    /** Gives an array device memory, unless it has some: its own, or what it is bound to. */
    void allocate(TornadoNativeArray array) {
        copies.computeIfAbsent(array, host -> {
            MemorySegment bound = ArrayMemory.get().bound(host);
            if (bound != null) {
                TornadoNativeArray view = ArrayMemory.get().over(host, bound);
                ArrayMemory.get().setFilled(view);
                return view;
            }
            // CUDA aligns to 256 bytes, and element 0 lies behind a header of 16.
            MemorySegment elements = Arena.ofAuto()
                    .allocate(Math.max(1, host.getNumBytesOfSegment()), 16)
                    .asSlice(0, host.getNumBytesOfSegment());
            return ArrayMemory.get().over(host, elements.fill(POISON));
        });
    }

    /** Makes an array use the memory of another graph's copy of it. */
    void share(TornadoNativeArray array, TornadoNativeArray copy) {
        copies.put(array, copy);
    }

    /** Copies an array to the device. */
    void upload(TornadoNativeArray array) {
        requireOwn(array);
        TornadoNativeArray copy = copyOf(array);
        copy.getSegment().copyFrom(array.getSegment());
        ArrayMemory.get().setFilled(copy);
    }

    /** Copies a whole array to the host. */
    void download(TornadoNativeArray array) {
        requireOwn(array);
        if (readInPart.contains(array)) {
            throw new TornadoMemoryException(
                    array + " was read through a DataRange before: TornadoVM would copy that range only");
        }
        array.getSegment().copyFrom(copyOf(array).getSegment());
    }

    /** Copies elements from {@code offset} on to the host. */
    void download(TornadoNativeArray array, long offset, long elements) {
        requireOwn(array);
        long at = offset * array.getElementSize();
        long bytes = elements * array.getElementSize();
        array.getSegment()
                .asSlice(at, bytes)
                .copyFrom(copyOf(array).getSegment().asSlice(at, bytes));
        readInPart.add(array);
    }

    private static void requireOwn(TornadoNativeArray array) {
        if (ArrayMemory.get().bound(array) != null) {
            throw new TornadoMemoryException(array
                    + " is bound to memory of others and not copied; name it in transferToDevice(UNDER_DEMAND, ..)");
        }
    }

    /** The arrays that have memory, and its copies, which other graphs may share. */
    Map<TornadoNativeArray, TornadoNativeArray> copies() {
        return Collections.unmodifiableMap(copies);
    }

    /** Gives all memory back. */
    void free() {
        copies.clear();
        readInPart.clear();
    }
}
