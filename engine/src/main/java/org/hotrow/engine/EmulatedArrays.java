package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.function.Consumer;
import org.hotrow.emulator.ArrayMemory;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Device memory of the emulator: memory of this process, which arrays are bound to. */
final class EmulatedArrays implements DeviceArrays {
    private static final long ALIGNMENT = 256;

    private final Arena arena = Arena.ofShared();

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
    public LongArray longs(long count, Consumer<MemorySegment> content) {
        MemorySegment memory = arena.allocate(Math.multiplyExact(count, Long.BYTES), ALIGNMENT);
        content.accept(memory);
        return longsIn(memory);
    }

    @Override
    public LongArray longsIn(MemorySegment memory) {
        return bind(new LongArray(1), memory);
    }

    @Override
    public FloatArray floatsIn(MemorySegment memory) {
        return bind(new FloatArray(1), memory);
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
