package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import org.hotrow.allocator.HostMemory;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** The emulator's memory, for devices that do something else with it. */
class ForwardingArrays implements DeviceArrays {
    private final EmulatedArrays arrays = new EmulatedArrays(true);

    @Override
    public <T> T adopt(T adopted) {
        return arrays.adopt(adopted);
    }

    @Override
    public LongArray longs(long count) {
        return arrays.longs(count);
    }

    @Override
    public FloatArray floatsOf(LongArray token) {
        return arrays.floatsOf(token);
    }

    @Override
    public HostMemory hostMemory() {
        return arrays.hostMemory();
    }

    @Override
    public LongArray longsIn(MemorySegment chunk) {
        return arrays.longsIn(chunk);
    }

    @Override
    public void upload(Source from, long bytes, LongArray to, long at) {
        arrays.upload(from, bytes, to, at);
    }

    @Override
    public void download(LongArray from, long at, MemorySegment to) {
        arrays.download(from, at, to);
    }

    @Override
    public boolean records() {
        return arrays.records();
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
