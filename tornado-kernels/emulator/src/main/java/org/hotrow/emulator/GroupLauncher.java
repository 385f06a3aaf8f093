package org.hotrow.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Runs a launch on this thread, its groups one after another. One launch runs at a time. */
final class GroupLauncher implements Launcher {
    private static final ReentrantLock DEVICE = new ReentrantLock();

    @Override
    public void launch(Launch launch) {
        DEVICE.lock();
        try {
            Mode mode = Emulator.mode();
            if (mode.watches()) {
                watched(launch, mode);
            } else {
                forget(launch);
                runGroups(launch, Kernel.plain(launch), mode, null);
            }
        } finally {
            DEVICE.unlock();
        }
    }

    private static void watched(Launch launch, Mode mode) {
        int groups = launch.groups().size();
        if (mode.checks() && groups > Stamps.MAX_GROUPS) {
            throw new IllegalArgumentException(
                    "task " + launch.task() + " has " + groups + " groups; checks follow " + Stamps.MAX_GROUPS);
        }
        KernelMethod method = KernelMethod.of(
                launch.task(), launch.kernel(), launch.arguments().size());
        KernelLoader loader = KernelLoader.of(method.method().getDeclaringClass());
        Kernel kernel = Kernel.traced(launch, method, loader);
        Meter meter = mode.meter()
                ? new Meter(
                        launch.task(),
                        loader.sites(),
                        Emulator.footprint(),
                        launch.local().size())
                : null;
        Tracer tracer = new Tracer(kernel.name(), loader.sites(), mode.checks(), meter);
        List<Shadow> shadows = attach(launch, method, tracer, meter);
        Tracer.activate(tracer);
        try {
            runGroups(launch, kernel, mode, meter);
        } finally {
            Tracer.activate(null);
            shadows.forEach(Shadow::detach);
        }
        if (meter != null) {
            Emulator.metered(meter.result());
        }
    }

    /** Nobody sees what this launch writes, so that later checks must take all of it for written. */
    private static void forget(Launch launch) {
        for (Object argument : launch.arguments()) {
            if (argument instanceof TornadoNativeArray array) {
                ArrayMemory.get().setFilled(array);
                ArrayMemory.get().setWatch(array, null);
            }
        }
    }

    private static void runGroups(Launch launch, Kernel kernel, Mode mode, @Nullable Meter meter) {
        Schedule schedule = new Schedule(mode.seed());
        for (int group : schedule.order(launch.groups().size())) {
            LocalMemory memory = new LocalMemory(kernel.name(), Tracer.active(), meter);
            new WorkGroup(launch, kernel, schedule, memory, group).run();
        }
    }

    /** Watches the arrays among the arguments; one that is passed twice keeps its first name. */
    private static List<Shadow> attach(Launch launch, KernelMethod method, Tracer tracer, @Nullable Meter meter) {
        List<Shadow> attached = new ArrayList<>();
        for (int i = 0; i < launch.arguments().size(); i++) {
            if (launch.arguments().get(i) instanceof TornadoNativeArray array) {
                Shadow shadow = shadowOf(array);
                if (!attached.contains(shadow)) {
                    String name = method.parameter(i);
                    shadow.attach(name, tracer, meter == null ? null : meter.device(name, shadow));
                    attached.add(shadow);
                }
            }
        }
        return attached;
    }

    private static Shadow shadowOf(TornadoNativeArray array) {
        ArrayMemory memory = ArrayMemory.get();
        Shadow shadow;
        if (memory.watch(array) instanceof Shadow known) {
            shadow = known;
        } else {
            shadow = new Shadow(array.getSize(), array.getElementSize());
            memory.setWatch(array, shadow);
        }
        if (memory.isFilled(array)) {
            shadow.filled();
        }
        return shadow;
    }
}
