package org.hotrow.emulator;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;

/**
 * Loads rewritten copies of a kernel's class and of the other classes of its package that it uses, with static fields
 * of their own. Accesses by helpers in other packages are announced by the instruction that called them.
 */
final class KernelLoader extends ClassLoader {
    private static final ClassValue<KernelLoader> LOADERS = new ClassValue<>() {
        @Override
        protected KernelLoader computeValue(Class<?> kernelClass) {
            return new KernelLoader(kernelClass);
        }
    };

    private final Module module;
    private final String prefix;
    private final Sites sites = new Sites();

    private KernelLoader(Class<?> kernelClass) {
        super(kernelClass.getClassLoader());
        module = kernelClass.getModule();
        prefix = kernelClass.getPackageName() + ".";
        if (kernelClass.getPackage().equals(KernelLoader.class.getPackage())) {
            throw new IllegalArgumentException(
                    kernelClass + ": the emulator's package is rewritten for nobody; put the kernel in another one");
        }
    }

    /** The loader of a kernel's class, always the same. */
    static KernelLoader of(Class<?> kernelClass) {
        return LOADERS.get(kernelClass);
    }

    Sites sites() {
        return sites;
    }

    /** The rewritten copy of a static method. */
    MethodHandle load(Method method) {
        try {
            Method copy = Class.forName(method.getDeclaringClass().getName(), true, this)
                    .getDeclaredMethod(method.getName(), method.getParameterTypes());
            copy.setAccessible(true);
            return MethodHandles.lookup().unreflect(copy);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot rewrite " + method, e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            if (loaded != null) {
                return loaded;
            }
            boolean own = name.startsWith(prefix) && name.indexOf('.', prefix.length()) < 0;
            return own ? findClass(name) : super.loadClass(name, resolve);
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        try (InputStream in = module.getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] rewritten = new Rewriter(sites, getParent()).rewrite(in.readAllBytes());
            return defineClass(name, rewritten, 0, rewritten.length);
        } catch (IOException e) {
            throw new ClassNotFoundException(name, e);
        }
    }
}
