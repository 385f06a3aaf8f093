package org.hotrow.allocator;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import jcuda.CudaException;
import jcuda.Pointer;
import jcuda.driver.CUcontext;
import jcuda.driver.CUdevice;
import jcuda.driver.JCudaDriver;

/**
 * Pinned memory of the CUDA driver: portable, that is pinned for every context, and mapped into the device's addresses.
 * The only class that touches JCuda; it is loaded when somebody asks for pinned memory.
 *
 * <p>It allocates in the context that is current on the calling thread, else in the primary context of device 0.
 */
final class PinnedHostMemory implements HostMemory {
    private static final int FLAGS = JCudaDriver.CU_MEMHOSTALLOC_PORTABLE | JCudaDriver.CU_MEMHOSTALLOC_DEVICEMAP;

    /** A pointer that tells its address. */
    private static final class HostPointer extends Pointer {
        long address() {
            return getNativePointer() + getByteOffset();
        }
    }

    /** Closed and given back by {@link #release}. */
    private static final class Chunk {
        private final HostPointer pointer = new HostPointer();
        private final Arena arena = Arena.ofShared();
    }

    private final Map<Long, Chunk> chunks = new HashMap<>();

    PinnedHostMemory() {
        try {
            JCudaDriver.setExceptionsEnabled(true);
            JCudaDriver.cuInit(0);
            requireContext();
        } catch (UnsatisfiedLinkError | NoClassDefFoundError | ExceptionInInitializerError e) {
            throw new HostMemoryException(
                    "pinned host memory needs the CUDA driver (libcuda), which can't be loaded on this machine; install"
                            + " it, or use plain host memory",
                    e);
        } catch (CudaException e) {
            throw new HostMemoryException(
                    "pinned host memory: the CUDA driver has no usable device (" + e.getMessage()
                            + "); check the device, or use plain host memory",
                    e);
        }
    }

    private static void requireContext() {
        CUcontext context = new CUcontext();
        JCudaDriver.cuCtxGetCurrent(context);
        if (context.equals(new CUcontext())) {
            CUdevice device = new CUdevice();
            JCudaDriver.cuDeviceGet(device, 0);
            JCudaDriver.cuDevicePrimaryCtxRetain(context, device);
            JCudaDriver.cuCtxSetCurrent(context);
        }
    }

    // The driver gives an address of so many bytes; nothing else can tell a segment its size.
    @SuppressWarnings("restricted")
    @Override
    public MemorySegment allocate(long bytes) {
        Chunk chunk = new Chunk();
        try {
            JCudaDriver.cuMemHostAlloc(chunk.pointer, bytes, FLAGS);
        } catch (CudaException e) {
            chunk.arena.close();
            throw new HostMemoryException(
                    "the CUDA driver pins no " + bytes + " bytes (" + e.getMessage()
                            + "); use a smaller host pool, or raise the limit of locked memory",
                    e);
        }
        chunks.put(chunk.pointer.address(), chunk);
        return MemorySegment.ofAddress(chunk.pointer.address()).reinterpret(bytes, chunk.arena, null);
    }

    @Override
    public void release(MemorySegment segment) {
        Chunk chunk = chunks.get(segment.address());
        if (chunk == null) {
            throw new IllegalArgumentException("not a chunk of this memory, or released before");
        }
        if (chunk.arena.scope().isAlive()) {
            chunk.arena.close();
        }
        try {
            JCudaDriver.cuMemFreeHost(chunk.pointer);
        } catch (CudaException e) {
            throw new HostMemoryException("the CUDA driver keeps a pinned chunk (" + e.getMessage() + ")", e);
        }
        chunks.remove(segment.address());
    }
}
