package org.hotrow.emulator;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import uk.ac.manchester.tornado.api.KernelContext;

/** Code of a kernel and its arguments, ready to run as any work-item. */
final class Kernel {
    private static final MethodHandle CONTEXT;

    static {
        try {
            CONTEXT = MethodHandles.privateLookupIn(KernelContext.class, MethodHandles.lookup())
                    .findConstructor(KernelContext.class, MethodType.methodType(void.class, WorkItem.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final String name;
    private final MethodHandle code;
    private final Object[] arguments;

    /** The code takes all arguments as they are in the list. */
    private Kernel(String name, MethodHandle code, List<Object> arguments) {
        this.name = name;
        this.code = code.asType(MethodType.genericMethodType(arguments.size()))
                .asSpreader(Object[].class, arguments.size())
                .asType(MethodType.methodType(void.class, Object[].class));
        this.arguments = arguments.toArray();
    }

    /** The kernel as it was handed over. */
    static Kernel plain(Launch launch) {
        try {
            Method apply = functionOf(launch.kernel());
            return new Kernel(
                    launch.task(),
                    MethodHandles.publicLookup().unreflect(apply).bindTo(launch.kernel()),
                    launch.arguments());
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(launch.task() + ": the kernel's interface is not public", e);
        }
    }

    /** The kernel's rewritten copy, whose accesses the tracer hears of. */
    static Kernel traced(Launch launch, KernelMethod method, KernelLoader loader) {
        return new Kernel(method.name(), loader.load(method.method()), launch.arguments());
    }

    private static Method functionOf(Object kernel) {
        for (Class<?> type : kernel.getClass().getInterfaces()) {
            for (Method method : type.getMethods()) {
                if (Modifier.isAbstract(method.getModifiers())) {
                    return method;
                }
            }
        }
        throw new IllegalArgumentException(kernel + " is no TornadoFunctions.Task");
    }

    String name() {
        return name;
    }

    void run(WorkItem item) throws Throwable {
        Object[] own = arguments.clone();
        for (int i = 0; i < own.length; i++) {
            if (own[i] instanceof KernelContext) {
                own[i] = (KernelContext) CONTEXT.invokeExact(item);
            }
        }
        code.invokeExact(own);
    }
}
