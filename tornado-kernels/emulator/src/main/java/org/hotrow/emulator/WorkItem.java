package org.hotrow.emulator;

import org.hotrow.emulator.Launch.Extent;
import org.jspecify.annotations.Nullable;

/** One work-item of a group: a coroutine that runs the kernel and stops where it must wait for others. */
public final class WorkItem {
    /** Where a stopped work-item is. */
    enum State {
        RUNNABLE,
        AT_BARRIER,
        IN_WARP,
        ENDED
    }

    private final WorkGroup group;
    private final int number;
    private final Extent local;
    private final Coroutine coroutine = new Coroutine(this::run);
    private final AsyncCopies copies = new AsyncCopies();
    private final MatrixUnit matrices = new MatrixUnit(this);
    private State state = State.RUNNABLE;
    private int site = Sites.UNKNOWN;
    private int allocations;
    private @Nullable WarpOperation operation;
    private @Nullable Throwable failure;

    WorkItem(WorkGroup group, int number) {
        this.group = group;
        this.number = number;
        this.local = group.launch().local().at(number);
    }

    /** Work-items of the grid. */
    public Extent globalSize() {
        return group.launch().global();
    }

    /** Work-items of a group. */
    public Extent localSize() {
        return group.launch().local();
    }

    /** Number of the group. */
    public Extent group() {
        return group.place();
    }

    /** Number within the group. */
    public Extent local() {
        return local;
    }

    /** Number within the grid. */
    public Extent global() {
        return group.place().global(localSize(), local);
    }

    /** Waits until all work-items of the group are here. */
    public void barrier() {
        stop(State.AT_BARRIER);
    }

    /** Sum over the warp. */
    public float sum(float value) {
        return shuffle(new Shuffle(Shuffle.Kind.SUM, value, 0));
    }

    /** The value of the lane {@code delta} further on, this one's if there is none. */
    public float shuffleDown(float value, int delta) {
        if (delta < 0) {
            throw new IllegalArgumentException("simdShuffleDown by " + delta + " lanes");
        }
        return shuffle(new Shuffle(Shuffle.Kind.DOWN, value, delta));
    }

    /** The value of lane 0. */
    public float broadcastFirst(float value) {
        return shuffle(new Shuffle(Shuffle.Kind.FIRST, value, 0));
    }

    /** The group's next local array, of a Java array's class such as {@code int[].class}. */
    public <T> T allocate(Class<T> arrays, int elements) {
        return arrays.cast(group.localMemory().allocate(allocations++, LocalType.of(arrays), elements));
    }

    /** Copies to local memory that are under way. */
    public AsyncCopies copies() {
        return copies;
    }

    /** Matrix operations of the warp. */
    public MatrixUnit matrices() {
        return matrices;
    }

    /** The lane within the warp. */
    int lane() {
        return number % WorkGroup.WARP;
    }

    /** Does something together with the other lanes of the warp. */
    void together(WarpOperation with) {
        operation = with;
        stop(State.IN_WARP);
        operation = null;
    }

    private float shuffle(Shuffle shuffle) {
        together(shuffle);
        return shuffle.result();
    }

    private void stop(State at) {
        enter(at);
        Coroutine.suspend();
    }

    private void enter(State next) {
        Tracer tracer = Tracer.active();
        site = tracer == null ? Sites.UNKNOWN : tracer.site();
        state = next;
    }

    private void run() {
        try {
            group.runKernel(this);
        } catch (Throwable e) {
            failure = e;
        }
        enter(State.ENDED);
    }

    /** Runs until the work-item stops. */
    void resume() {
        coroutine.resume();
    }

    /** What the kernel threw. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    State state() {
        return state;
    }

    /** The barrier or operation at which it stopped. */
    int site() {
        return site;
    }

    int number() {
        return number;
    }

    @Nullable
    WarpOperation operation() {
        return operation;
    }

    void release() {
        state = State.RUNNABLE;
    }
}
