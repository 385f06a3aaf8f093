package org.hotrow.kernels.inspect;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.IdentityHashMap;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Arrays whose memory is pinned on the host and read there by kernels. With TornadoVM's CUDA back end such an array is a
 * token of one element, {@link #bind bound} to memory of {@code cuMemHostAlloc}; elsewhere it is an ordinary one.
 */
@SuppressWarnings("restricted") // The driver and its memory have no other way in.
final class PinnedHost {
    private static final boolean CUDA =
            ModuleLayer.boot().findModule("tornado.drivers.cuda").isPresent();
    private static final int PORTABLE_AND_MAPPED = 3;
    private static final IdentityHashMap<TornadoNativeArray, MemorySegment> PINNED = new IdentityHashMap<>();

    private PinnedHost() {}

    /** Zeros; the context of TornadoVM has to be current in this thread, as it is after an execution. */
    static LongArray longs(long count) {
        if (!CUDA) {
            return new LongArray(Math.toIntExact(count));
        }
        LongArray token = new LongArray(1);
        MemorySegment memory = allocate(count * Long.BYTES);
        memory.fill((byte) 0);
        PINNED.put(token, memory);
        return token;
    }

    static boolean isPinned(TornadoNativeArray array) {
        return PINNED.containsKey(array);
    }

    /** What kernels read. */
    static MemorySegment memory(TornadoNativeArray array) {
        return PINNED.getOrDefault(array, array.getSegment());
    }

    /** Frees the memory behind a token. */
    static void free(TornadoNativeArray array) {
        MemorySegment memory = PINNED.remove(array);
        if (memory != null) {
            check(
                    "cuMemFreeHost",
                    call("cuMemFreeHost", FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS), memory));
        }
    }

    private static MemorySegment allocate(long bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pointer = arena.allocate(ValueLayout.ADDRESS);
            FunctionDescriptor type = FunctionDescriptor.of(
                    ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT);
            check(
                    "cuMemHostAlloc of " + bytes + " bytes",
                    call("cuMemHostAlloc", type, pointer, bytes, PORTABLE_AND_MAPPED));
            return pointer.get(ValueLayout.ADDRESS, 0).reinterpret(bytes);
        }
    }

    private static int call(String function, FunctionDescriptor type, Object... arguments) {
        SymbolLookup driver = SymbolLookup.libraryLookup("libcuda.so.1", Arena.global());
        try {
            return (int) Linker.nativeLinker()
                    .downcallHandle(driver.findOrThrow(function), type)
                    .invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(function + " can't be called", e);
        }
    }

    private static void check(String what, int result) {
        if (result != 0) {
            throw new IllegalStateException(what + " failed with CUDA error " + result);
        }
    }

    /**
     * Has the kernels of a graph find the memory behind its tokens, before the first execution: the state that TornadoVM
     * 5.2.0 keeps of an array gets a buffer at that address, locked, with contents.
     */
    static void bind(TornadoNativeArray token, ImmutableTaskGraph graph) {
        try {
            Object implementation = call(call(graph, "getTaskGraph"), "getTaskGraphImpl");
            Field field = implementation.getClass().getDeclaredField("executionContext");
            field.setAccessible(true);
            Object context = field.get(implementation);
            Object device = call(call(context, "meta"), "getXPUDevice");
            Object readWrite = Class.forName("uk.ac.manchester.tornado.api.common.Access")
                    .getField("READ_WRITE")
                    .get(null);
            Object state = call(
                    call(call(context, "getLocalStateObject", token, readWrite), "getDataObjectState"),
                    "getDeviceBufferState",
                    device);
            call(state, "setXPUBuffer", buffer(token, call(device, "getDeviceContext"), readWrite));
            call(state, "setLockBuffer", true);
            call(state, "setContents", true);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("TornadoVM's internals are not those of 5.2.0", e);
        }
    }

    private static Object buffer(TornadoNativeArray token, Object deviceContext, Object access)
            throws ReflectiveOperationException {
        MemorySegment memory = memory(token);
        Class<?> type = Class.forName("uk.ac.manchester.tornado.drivers.cuda.mm.CUDAMemorySegmentWrapper");
        Object buffer = constructor(type, 5)
                .newInstance(
                        memory.byteSize() + TornadoNativeArray.ARRAY_HEADER,
                        deviceContext,
                        0L,
                        access,
                        token.getElementSize());
        Class<?> address = Class.forName("uk.ac.manchester.tornado.api.memory.XPUBuffer$XPUBufferWrapper");
        call(
                buffer,
                "setBuffer",
                constructor(address, 2).newInstance(memory.address() - TornadoNativeArray.ARRAY_HEADER, 0L));
        return buffer;
    }

    private static Constructor<?> constructor(Class<?> type, int parameters) throws NoSuchMethodException {
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (constructor.getParameterCount() == parameters) {
                constructor.setAccessible(true);
                return constructor;
            }
        }
        throw new NoSuchMethodException(type.getName() + " of " + parameters + " parameters");
    }

    private static Object call(Object on, String name, Object... arguments) throws ReflectiveOperationException {
        for (Class<?> type = on.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == arguments.length) {
                    method.setAccessible(true);
                    try {
                        return method.invoke(on, arguments);
                    } catch (InvocationTargetException e) {
                        throw new ReflectiveOperationException(name + " failed", e.getCause());
                    }
                }
            }
        }
        throw new NoSuchMethodException(on.getClass().getName() + "." + name);
    }
}
