package org.hotrow.allocator;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/** Off-heap memory of an arena per chunk. */
final class PlainHostMemory implements HostMemory {
    private static final long ALIGNMENT = 64;

    /** Closed by {@link #release}. */
    private static final class Chunk {
        private final Arena arena = Arena.ofShared();
    }

    private final Map<MemorySegment, Chunk> chunks = new HashMap<>();

    @Override
    public MemorySegment allocate(long bytes) {
        Chunk chunk = new Chunk();
        try {
            MemorySegment segment = chunk.arena.allocate(bytes, ALIGNMENT);
            chunks.put(segment, chunk);
            return segment;
        } catch (OutOfMemoryError e) {
            chunk.arena.close();
            throw new HostMemoryException("the system gives no " + bytes + " bytes of memory", e);
        }
    }

    @Override
    public void release(MemorySegment segment) {
        Chunk chunk = chunks.remove(segment);
        if (chunk == null) {
            throw new IllegalArgumentException("not a chunk of this memory, or released before");
        }
        chunk.arena.close();
    }
}
