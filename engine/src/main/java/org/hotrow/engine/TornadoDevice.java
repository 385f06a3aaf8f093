package org.hotrow.engine;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * The device that TornadoVM runs task graphs on, unless told otherwise. Asked by name, since the emulator has no such API.
 *
 * @param name what its driver calls it
 * @param memoryBytes what it has, or what TornadoVM may take of it if that is less
 */
record TornadoDevice(String name, long memoryBytes) {
    private static final String API = "uk.ac.manchester.tornado.api.";

    /**
     * The default device.
     *
     * @throws DeviceException if TornadoVM has none
     */
    static TornadoDevice get() {
        try {
            Object runtime = Class.forName(API + "runtime.TornadoRuntimeProvider")
                    .getMethod("getTornadoRuntime")
                    .invoke(null);
            Object device = call(API + "TornadoRuntime", runtime, "getDefaultDevice");
            String type = API + "common.TornadoDevice";
            Object physical = call(type, device, "getPhysicalDevice");
            String name = (String) call(API + "TornadoTargetDevice", physical, "getDeviceName");
            long memory = (Long) call(type, device, "getMaxGlobalMemory");
            return new TornadoDevice(name, Math.min(memory, DeviceSharing.mostBytes()));
        } catch (InvocationTargetException e) {
            throw new DeviceException(
                    "TornadoVM finds no device (" + e.getCause() + "): install its driver, or take --device cpu");
        } catch (ReflectiveOperationException e) {
            throw new DeviceException("TornadoVM's API is not that of 5.2.0 (" + e
                    + "): start with an SDK of TornadoVM 5.2.0 for JDK 25");
        }
    }

    /** By the type that is exported, which the object's own may not be. */
    private static Object call(String type, Object on, String name) throws ReflectiveOperationException {
        Method method = Class.forName(type).getMethod(name);
        return method.invoke(on);
    }
}
