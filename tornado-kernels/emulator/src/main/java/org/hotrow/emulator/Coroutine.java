package org.hotrow.emulator;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * A body of code that can stop in the middle and go on later, on the thread that resumes it.
 *
 * <p>The only class that knows of the JDK's internal continuation. Java must be started with
 * {@code --add-exports java.base/jdk.internal.vm=tornado.api,ALL-UNNAMED}.
 */
final class Coroutine {
    private static final MethodHandle CREATE;
    private static final MethodHandle RESUME;
    private static final MethodHandle SUSPEND;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> scope = Class.forName("jdk.internal.vm.ContinuationScope");
            Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
            Object workItems = lookup.findConstructor(scope, methodType(void.class, String.class))
                    .invoke("work-items");
            MethodHandle create = lookup.findConstructor(continuation, methodType(void.class, scope, Runnable.class));
            CREATE = MethodHandles.insertArguments(create, 0, workItems)
                    .asType(methodType(Object.class, Runnable.class));
            RESUME = lookup.findVirtual(continuation, "run", methodType(void.class))
                    .asType(methodType(void.class, Object.class));
            SUSPEND = MethodHandles.insertArguments(
                    lookup.findStatic(continuation, "yield", methodType(boolean.class, scope)), 0, workItems);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(
                    "The emulator needs java --add-exports java.base/jdk.internal.vm=tornado.api,ALL-UNNAMED", e);
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Object continuation;

    /** A coroutine that will run the body, which must not throw. */
    Coroutine(Runnable body) {
        try {
            continuation = (Object) CREATE.invokeExact(body);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Runs the body until it suspends or ends. */
    void resume() {
        try {
            RESUME.invokeExact(continuation);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** Stops the body that calls this, until it is resumed. */
    static void suspend() {
        try {
            boolean resumed = (boolean) SUSPEND.invokeExact();
            assert resumed;
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    private static RuntimeException unexpected(Throwable e) {
        if (e instanceof Error error) {
            throw error;
        }
        return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
    }
}
