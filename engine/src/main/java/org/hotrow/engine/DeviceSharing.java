package org.hotrow.engine;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Lets a graph use memory that it doesn't own: another graph's, a buffer that belongs to none, or pinned memory of the
 * host. TornadoVM 5.2.0 keeps this to itself, and here is the only place that reaches into it; a release that maps host
 * memory by its API would replace {@link #mapped} alone.
 *
 * <pre>
 * graph -> execution context -> state of an array -> state of it on a device: buffer, locked, has contents
 * </pre>
 *
 * A locked buffer with contents is neither allocated nor copied; a kernel finds it by its argument at each launch, or
 * for good in a recorded graph.
 */
final class DeviceSharing {
    private static final String BUFFERS = "uk.ac.manchester.tornado.drivers.%s.mm.%sMemorySegmentWrapper";
    private static final String ADDRESS = "uk.ac.manchester.tornado.api.memory.XPUBuffer$XPUBufferWrapper";
    private static final String OPTIONS = "uk.ac.manchester.tornado.runtime.common.TornadoOptions";
    private static final String DEVICE = "uk.ac.manchester.tornado.runtime.common.TornadoXPUDevice";

    private static final long FREED = -1;

    private final String bufferType;

    /** @param cuda whether the back end is CUDA's, else OpenCL's */
    DeviceSharing(boolean cuda) {
        bufferType = cuda ? BUFFERS.formatted("cuda", "CUDA") : BUFFERS.formatted("opencl", "OCL");
    }

    /** Something of TornadoVM that may not be what it was in 5.2.0. */
    private interface Internals<T> {
        T get() throws ReflectiveOperationException;
    }

    private static <T> T reach(Internals<T> internals) {
        try {
            return internals.get();
        } catch (ReflectiveOperationException e) {
            throw new DeviceException("TornadoVM's internals are not those of 5.2.0 (" + e
                    + "): start with an SDK of TornadoVM 5.2.0 for JDK 25");
        }
    }

    /** What TornadoVM allocates at most: {@code -Dtornado.device.memory}, 4 GB if nobody says otherwise. */
    static long mostBytes() {
        return reach(
                () -> Class.forName(OPTIONS).getField("DEVICE_AVAILABLE_MEMORY").getLong(null));
    }

    /**
     * Lets {@code user} use what {@code owner} owns: before the first execution of {@code user}, after one of
     * {@code owner}.
     *
     * @throws DeviceException if this isn't the TornadoVM that it was written for
     */
    void share(TornadoNativeArray array, ImmutableTaskGraph owner, ImmutableTaskGraph user) {
        give(reach(() -> call(state(array, owner), "getXPUBuffer")), array, user);
    }

    /** Device memory of no graph, on the device of {@code graph}; the array itself is never copied to it. */
    Object allocate(ImmutableTaskGraph graph, TornadoNativeArray array, long bytes) {
        return reach(() -> {
            Object context = context(graph);
            Object buffer = buffer(context, array, bytes);
            try {
                Class.forName(bufferType)
                        .getMethod(
                                "allocate",
                                Object.class,
                                long.class,
                                readWrite(context).getClass())
                        .invoke(buffer, array, bytes, readWrite(context));
            } catch (InvocationTargetException e) {
                throw new DeviceException("the device gives no " + bytes + " bytes: " + e.getTargetException()
                        + "; lower --kv-blocks, or raise -Dtornado.device.memory");
            }
            return buffer;
        });
    }

    /** Memory of the host that the device reads at this address. */
    Object mapped(ImmutableTaskGraph graph, TornadoNativeArray array, long address, long bytes) {
        return reach(() -> {
            Object buffer = buffer(context(graph), array, bytes);
            Object at = Class.forName(ADDRESS)
                    .getConstructor(long.class, long.class)
                    .newInstance(address - TornadoNativeArray.ARRAY_HEADER, 0L);
            call(buffer, "setBuffer", at);
            return buffer;
        });
    }

    private Object buffer(Object context, TornadoNativeArray array, long bytes) throws ReflectiveOperationException {
        Object device = call(call(context, "meta"), "getXPUDevice");
        Object deviceContext =
                Class.forName(DEVICE).getMethod("getDeviceContext").invoke(device);
        for (Constructor<?> constructor : Class.forName(bufferType).getConstructors()) {
            if (constructor.getParameterCount() == 5) {
                return constructor.newInstance(
                        bytes + TornadoNativeArray.ARRAY_HEADER,
                        deviceContext,
                        0L,
                        readWrite(context),
                        array.getElementSize());
            }
        }
        throw new NoSuchMethodException(bufferType + " of five parameters");
    }

    /** Lets a graph find memory by an array: before its first execution, and before any of a graph that isn't recorded. */
    void give(Object buffer, TornadoNativeArray array, ImmutableTaskGraph user) {
        reach(() -> {
            Object to = state(array, user);
            call(to, "setXPUBuffer", buffer);
            call(to, "setLockBuffer", true);
            return call(to, "setContents", true);
        });
    }

    /** Gives back what {@link #allocate} gave, unless the end of a graph that used it has done so. */
    void free(Object buffer) {
        reach(() -> {
            if (!call(buffer, "toBuffer").equals(FREED)) {
                call(buffer, "markAsFreeBuffer");
            }
            return call(buffer, "deallocate");
        });
    }

    private static Object context(ImmutableTaskGraph graph) throws ReflectiveOperationException {
        Object implementation = call(call(graph, "getTaskGraph"), "getTaskGraphImpl");
        Field field = implementation.getClass().getDeclaredField("executionContext");
        field.setAccessible(true);
        return field.get(implementation);
    }

    private static Object state(TornadoNativeArray array, ImmutableTaskGraph graph)
            throws ReflectiveOperationException {
        Object context = context(graph);
        Object device = call(call(context, "meta"), "getXPUDevice");
        Object local = call(context, "getLocalStateObject", array, readWrite(context));
        return call(call(local, "getDataObjectState"), "getDeviceBufferState", device);
    }

    /** The access that TornadoVM's enum calls READ_WRITE. */
    private static Object readWrite(Object context) throws ReflectiveOperationException {
        Method method = method(context.getClass(), "getLocalStateObject", 2);
        for (Object access : method.getParameterTypes()[1].getEnumConstants()) {
            if (access.toString().equals("READ_WRITE")) {
                return access;
            }
        }
        throw new NoSuchFieldException("READ_WRITE");
    }

    private static Object call(Object on, String name, Object... arguments) throws ReflectiveOperationException {
        Method method = method(on.getClass(), name, arguments.length);
        method.setAccessible(true);
        try {
            return method.invoke(on, arguments);
        } catch (InvocationTargetException e) {
            throw new ReflectiveOperationException(name + " failed", e.getCause());
        }
    }

    private static Method method(Class<?> type, String name, int parameters) throws NoSuchMethodException {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Method method : c.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == parameters) {
                    return method;
                }
            }
        }
        throw new NoSuchMethodException(type.getName() + "." + name);
    }
}
