package org.hotrow.engine;

import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import uk.ac.manchester.tornado.api.ImmutableTaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Lets a graph use the device memory that another graph owns: what TornadoVM 5.2.0 keeps to itself, and the only place
 * that reaches into it.
 *
 * <pre>
 * graph -> execution context -> state of an array -> state of it on a device: buffer, locked, has contents
 * </pre>
 *
 * A locked buffer with contents is neither allocated nor copied; a kernel finds it by its argument.
 */
final class DeviceSharing {
    /**
     * Before the first execution of {@code user}, after one of {@code owner}.
     *
     * @throws DeviceException if this isn't the TornadoVM that it was written for
     */
    void share(TornadoNativeArray array, ImmutableTaskGraph owner, ImmutableTaskGraph user) {
        try {
            Object from = state(array, owner);
            Object to = state(array, user);
            call(to, "setXPUBuffer", call(from, "getXPUBuffer"));
            call(to, "setLockBuffer", true);
            call(to, "setContents", true);
        } catch (ReflectiveOperationException e) {
            throw new DeviceException("TornadoVM's internals are not those of 5.2.0 (" + e
                    + "): start with an SDK of TornadoVM 5.2.0 for JDK 25");
        }
    }

    private static Object state(TornadoNativeArray array, ImmutableTaskGraph graph)
            throws ReflectiveOperationException {
        Object implementation = call(call(graph, "getTaskGraph"), "getTaskGraphImpl");
        Field field = implementation.getClass().getDeclaredField("executionContext");
        field.setAccessible(true);
        Object context = field.get(implementation);
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
