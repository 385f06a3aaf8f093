package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The emulator's memory, for devices that do something else with it. */
class ForwardingArrays implements DeviceArrays {
    private final EmulatedArrays arrays = new EmulatedArrays();

    @Override
    public <T> T adopt(T adopted) {
        return arrays.adopt(adopted);
    }

    @Override
    public LongArray longs(long count, Consumer<MemorySegment> content) {
        return arrays.longs(count, content);
    }

    @Override
    public LongArray longsIn(MemorySegment memory) {
        return arrays.longsIn(memory);
    }

    @Override
    public FloatArray floatsIn(MemorySegment memory) {
        return arrays.floatsIn(memory);
    }

    @Override
    public void upload(MemorySegment from, TornadoNativeArray to) {
        arrays.upload(from, to);
    }

    @Override
    public void download(TornadoNativeArray from, MemorySegment to) {
        arrays.download(from, to);
    }

    @Override
    public void close() {
        arrays.close();
    }
}
