package org.hotrow.emulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hotrow.emulator.KernelFault.Kind;
import org.hotrow.emulator.Launch.Extent;
import org.hotrow.emulator.WorkItem.State;
import org.jspecify.annotations.Nullable;

/**
 * Runs the work-items of one group, on this thread.
 *
 * <pre>
 * until all have ended:
 *     run every work-item that can run, in the schedule's order, until it stops
 *     warps whose 32 lanes wait in one operation exchange and can run again
 *     if there was none: all are at one barrier, or all have ended, or the kernel is at fault
 * </pre>
 */
final class WorkGroup {
    static final int WARP = 32;

    private final Launch launch;
    private final Kernel kernel;
    private final Schedule schedule;
    private final @Nullable Tracer tracer;
    private final LocalMemory localMemory;
    private final int number;
    private final Extent place;
    private final WorkItem[] items;
    private final int[] order;

    WorkGroup(Launch launch, Kernel kernel, Schedule schedule, LocalMemory localMemory, int number) {
        this.launch = launch;
        this.kernel = kernel;
        this.schedule = schedule;
        this.tracer = Tracer.active();
        this.localMemory = localMemory;
        this.number = number;
        this.place = launch.groups().at(number);
        this.items = new WorkItem[launch.local().size()];
        for (int i = 0; i < items.length; i++) {
            items[i] = new WorkItem(this, i);
        }
        this.order = schedule.order(items.length);
    }

    Launch launch() {
        return launch;
    }

    Extent place() {
        return place;
    }

    LocalMemory localMemory() {
        return localMemory;
    }

    void runKernel(WorkItem item) throws Throwable {
        kernel.run(item);
    }

    void run() {
        if (tracer != null) {
            tracer.group(number, localMemory.arrays());
        }
        do {
            runAll();
        } while (exchange() || passBarrier());
    }

    private void runAll() {
        schedule.shuffle(order);
        for (int i : order) {
            WorkItem item = items[i];
            if (item.state() == State.RUNNABLE) {
                if (tracer != null) {
                    tracer.item(i, item.site());
                }
                item.resume();
                Throwable failure = item.failure();
                if (failure != null) {
                    throw failed(item, failure);
                }
            }
        }
        if (tracer != null) {
            tracer.stopped();
        }
    }

    private RuntimeException failed(WorkItem item, Throwable failure) {
        if (failure instanceof KernelFault fault) {
            return fault;
        }
        if (failure instanceof VirtualMachineError error) {
            throw error;
        }
        return new KernelFault(
                Kind.FAILED,
                kernel.name(),
                ": %s threw %s at %s".formatted(who(item), failure, sourceOf(failure)),
                failure);
    }

    /** Lets warps do what their lanes wait for; false if none waits. */
    private boolean exchange() {
        boolean any = false;
        for (int from = 0; from < items.length; from += WARP) {
            any |= exchange(from, Math.min(from + WARP, items.length));
        }
        return any;
    }

    private boolean exchange(int from, int to) {
        WorkItem waiting = null;
        for (int i = from; i < to && waiting == null; i++) {
            waiting = items[i].state() == State.IN_WARP ? items[i] : null;
        }
        if (waiting == null) {
            return false;
        }
        if (to - from < WARP) {
            throw new KernelFault(
                    Kind.DIVERGENT_WARP,
                    kernel.name(),
                    ": " + doing(waiting) + ", but its warp has only " + (to - from) + " of " + WARP + " lanes");
        }
        WarpOperation first = Objects.requireNonNull(waiting.operation());
        List<WarpOperation> lanes = new ArrayList<>(WARP);
        for (int i = from; i < to; i++) {
            WarpOperation operation = items[i].operation();
            if (operation == null
                    || items[i].site() != waiting.site()
                    || !operation.agreement().equals(first.agreement())) {
                throw diverged(Kind.DIVERGENT_WARP, waiting, items[i]);
            }
            lanes.add(operation);
        }
        first.exchange(lanes);
        for (int i = from; i < to; i++) {
            items[i].release();
        }
        return true;
    }

    /** Lets all go on from a barrier; false if all have ended. */
    private boolean passBarrier() {
        WorkItem first = items[0];
        for (WorkItem item : items) {
            boolean together =
                    item.state() == first.state() && (item.state() == State.ENDED || item.site() == first.site());
            if (!together) {
                WorkItem waiting = first.state() == State.AT_BARRIER ? first : item;
                throw diverged(Kind.DIVERGENT_BARRIER, waiting, waiting == first ? item : first);
            }
        }
        if (first.state() == State.ENDED) {
            return false;
        }
        for (WorkItem item : items) {
            item.release();
        }
        if (tracer != null) {
            tracer.barrier();
        }
        return true;
    }

    private KernelFault diverged(Kind kind, WorkItem waiting, WorkItem other) {
        return new KernelFault(kind, kernel.name(), ": " + doing(waiting) + ", but " + doing(other));
    }

    private String doing(WorkItem item) {
        String does = switch (item.state()) {
            case RUNNABLE -> "runs after ";
            case AT_BARRIER -> "waits at ";
            case IN_WARP -> "waits for its warp at ";
            case ENDED -> "has ended after ";
        };
        return who(item) + " " + does + source(item.site());
    }

    private String source(int site) {
        return tracer == null
                ? "a line that checks would find"
                : tracer.sites().get(site).source();
    }

    /** The line of the kernel, or of a helper, that threw. */
    private static String sourceOf(Throwable failure) {
        for (StackTraceElement frame : failure.getStackTrace()) {
            if (!frame.getClassName().startsWith("java.")) {
                return frame.getFileName() + ":" + frame.getLineNumber();
            }
        }
        return "an unknown line";
    }

    private String who(WorkItem item) {
        return Tracer.who(number, item.number());
    }
}
