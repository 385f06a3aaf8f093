package org.hotrow.emulator;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.emulator.Launch.Extent;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task2;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task3;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task4;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task5;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task6;
import uk.ac.manchester.tornado.api.common.TornadoFunctions.Task7;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Launches kernels on one grid in one mode, on the arrays themselves. */
record Device(Mode mode, Extent global, Extent local) {
    static Device of(Mode mode, int global, int local) {
        return new Device(mode, new Extent(global, 1, 1), new Extent(local, 1, 1));
    }

    /** As if the host had copied the array to the device. */
    static <T extends TornadoNativeArray> T filled(T array) {
        ArrayMemory.get().setFilled(array);
        return array;
    }

    <A> void run(Task2<KernelContext, A> kernel, A a) {
        launch(kernel, a);
    }

    <A, B> void run(Task3<KernelContext, A, B> kernel, A a, B b) {
        launch(kernel, a, b);
    }

    <A, B, C> void run(Task4<KernelContext, A, B, C> kernel, A a, B b, C c) {
        launch(kernel, a, b, c);
    }

    <A, B, C, D> void run(Task5<KernelContext, A, B, C, D> kernel, A a, B b, C c, D d) {
        launch(kernel, a, b, c, d);
    }

    <A, B, C, D, E> void run(Task6<KernelContext, A, B, C, D, E> kernel, A a, B b, C c, D d, E e) {
        launch(kernel, a, b, c, d, e);
    }

    <A, B, C, D, E, F> void run(Task7<KernelContext, A, B, C, D, E, F> kernel, A a, B b, C c, D d, E e, F f) {
        launch(kernel, a, b, c, d, e, f);
    }

    private void launch(Object kernel, Object... arguments) {
        Mode before = Emulator.mode();
        Emulator.use(mode);
        try {
            List<Object> all = new ArrayList<>(List.of(new KernelContext()));
            all.addAll(List.of(arguments));
            Launcher.current().launch(new Launch("test.task", kernel, all, global, local));
        } finally {
            Emulator.use(before);
        }
    }
}
