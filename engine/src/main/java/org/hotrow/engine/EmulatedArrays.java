package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.hotrow.allocator.HostMemory;
import org.hotrow.emulator.ArrayMemory;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Device memory of the emulator: memory of this process, which arrays are bound to. */
final class EmulatedArrays implements DeviceArrays {
    private static final long ALIGNMENT = 256;

    private final Arena arena = Arena.ofShared();
    private final boolean recorded;

    EmulatedArrays(boolean recorded) {
        this.recorded = recorded;
    }

    @Override
    public boolean records() {
        return recorded;
    }

    @Override
    public <T> T adopt(T arrays) {
        DeviceArrays.each(List.of(arrays), array -> {
            MemorySegment memory = arena.allocate(Math.max(1, array.getNumBytesOfSegment()), ALIGNMENT);
            memory.copyFrom(array.getSegment());
            bind(array, memory);
        });
        return arrays;
    }

    @Override
    public LongArray longs(long count) {
        return bind(new LongArray(1), arena.allocate(Math.multiplyExact(count, Long.BYTES), ALIGNMENT));
    }

    @Override
    public FloatArray floatsOf(LongArray token) {
        return bind(new FloatArray(1), memory(token));
    }

    @Override
    public HostMemory hostMemory() {
        return HostMemory.plain();
    }

    @Override
    public LongArray longsIn(MemorySegment chunk) {
        return bind(new LongArray(1), chunk);
    }

    @Override
    public void upload(Source from, long bytes, LongArray to, long at) {
        from.copyTo(0, memory(to).asSlice(at * Long.BYTES, bytes));
    }

    @Override
    public void download(LongArray from, long at, MemorySegment to) {
        to.copyFrom(memory(from).asSlice(at * Long.BYTES, to.byteSize()));
    }

    private static <A extends TornadoNativeArray> A bind(A array, MemorySegment memory) {
        ArrayMemory.get().bind(array, memory);
        return array;
    }

    @Override
    public void upload(MemorySegment from, TornadoNativeArray to) {
        memory(to).asSlice(0, from.byteSize()).copyFrom(from);
    }

    @Override
    public void download(TornadoNativeArray from, MemorySegment to) {
        to.copyFrom(memory(from).asSlice(0, to.byteSize()));
    }

    private static MemorySegment memory(TornadoNativeArray array) {
        MemorySegment memory = ArrayMemory.get().bound(array);
        if (memory == null) {
            throw new IllegalArgumentException(array + " is not on the device");
        }
        return memory;
    }

    @Override
    public void close() {
        arena.close();
    }
}
