package org.hotrow.emulator;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import org.jspecify.annotations.Nullable;

/**
 * The static method behind a method reference or a lambda that captures nothing.
 *
 * <p>Task functions are not serialisable, so the method is read from the constant pool of the class that the JDK made
 * for the reference. Java must be started with {@code --add-exports} of {@code java.base/jdk.internal.access} and
 * {@code java.base/jdk.internal.reflect} to {@code tornado.api,ALL-UNNAMED}.
 */
record KernelMethod(Method method) {
    private static final MethodHandle POOL;
    private static final MethodHandle SIZE;
    private static final MethodHandle METHOD;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            Class<?> secrets = Class.forName("jdk.internal.access.SharedSecrets");
            Class<?> access = Class.forName("jdk.internal.access.JavaLangAccess");
            Class<?> pool = Class.forName("jdk.internal.reflect.ConstantPool");
            Object javaLang = lookup.findStatic(secrets, "getJavaLangAccess", methodType(access))
                    .invoke();
            POOL = lookup.findVirtual(access, "getConstantPool", methodType(pool, Class.class))
                    .bindTo(javaLang);
            SIZE = lookup.findVirtual(pool, "getSize", methodType(int.class));
            METHOD = lookup.findVirtual(pool, "getMethodAt", methodType(Member.class, int.class));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(
                    "Checks and meter need java --add-exports java.base/jdk.internal.access=tornado.api,ALL-UNNAMED"
                            + " --add-exports java.base/jdk.internal.reflect=tornado.api,ALL-UNNAMED",
                    e);
        } catch (Throwable e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The method behind a task's function, which takes {@code parameters} arguments. */
    static KernelMethod of(String task, Object function, int parameters) {
        Method found = null;
        try {
            Object pool = (Object) POOL.invoke(function.getClass());
            int size = (int) SIZE.invoke(pool);
            for (int i = 1; i < size; i++) {
                if (member(pool, i) instanceof Method method && isKernel(method, parameters)) {
                    found = method;
                }
            }
        } catch (Throwable e) {
            throw new IllegalStateException(task + ": cannot read the constants of " + function.getClass(), e);
        }
        if (found == null) {
            throw new IllegalArgumentException("task " + task + ": with checks or meter the kernel must be a reference"
                    + " to a static method of the " + parameters + " arguments, or a lambda that captures nothing");
        }
        return new KernelMethod(found);
    }

    private static @Nullable Member member(Object pool, int index) throws Throwable {
        try {
            return (Member) METHOD.invoke(pool, index);
        } catch (IllegalArgumentException e) {
            // Not a method.
            return null;
        }
    }

    private static boolean isKernel(Method method, int parameters) {
        return Modifier.isStatic(method.getModifiers())
                && method.getParameterCount() == parameters
                && method.getReturnType() == void.class
                && method.getDeclaringClass().getClassLoader() != null;
    }

    /** {@code Class.method}. */
    String name() {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /** Name of a parameter, or its number if the class does not tell. */
    String parameter(int index) {
        Parameter parameter = method.getParameters()[index];
        return parameter.isNamePresent() ? parameter.getName() : "argument " + (index + 1);
    }
}
