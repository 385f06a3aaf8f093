package org.hotrow.emulator;

import java.util.BitSet;
import java.util.Objects;
import org.hotrow.emulator.KernelFault.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What checks and the meter know of an array that kernels touch: which elements hold values, and who touched them in
 * this launch. A device array keeps its shadow from allocation to release; a local array's lives as long as its group.
 */
final class Shadow implements Watch {
    private static final String NOTHING = "nothing was written or copied there yet";

    private final int elements;
    private final int elementBytes;
    private final BitSet initialised = new BitSet();
    private @Nullable Tracer tracer;
    private @Nullable Traffic traffic;
    private String name = "";
    private @Nullable Stamps reads;
    private @Nullable Stamps writes;
    private @Nullable Stamps atomics;

    /** The shadow of an array whose elements hold nothing yet. */
    Shadow(int elements, int elementBytes) {
        this.elements = elements;
        this.elementBytes = elementBytes;
    }

    /** The host has copied values into the whole array, now or before. */
    void filled() {
        initialised.set(0, elements);
    }

    /** From now on accesses are part of a launch, or of a group if the array is local. */
    void attach(String arrayName, Tracer by, @Nullable Traffic counted) {
        name = arrayName;
        tracer = by;
        traffic = counted;
        reads = null;
        writes = null;
        atomics = null;
    }

    /** The launch is over. */
    void detach() {
        tracer = null;
        traffic = null;
        reads = null;
        writes = null;
        atomics = null;
    }

    String name() {
        return name;
    }

    int elements() {
        return elements;
    }

    int elementBytes() {
        return elementBytes;
    }

    @Override
    public void read(int index) {
        Tracer by = tracer;
        if (by == null) {
            return;
        }
        checkBounds(by, index, "reads");
        if (by.checks()) {
            if (!initialised.get(index)) {
                throw by.fault(Kind.UNINITIALISED, this, index, "reads", NOTHING);
            }
            long now = by.stamp();
            refuseConflict(by, writes, index, now, "reads", "wrote");
            refuseConflict(by, atomics, index, now, "reads", "added to");
            reads = noted(reads, index, now);
        }
        by.meter(traffic, index, true, false);
    }

    @Override
    public void write(int index) {
        Tracer by = tracer;
        if (by == null) {
            return;
        }
        checkWrite(by, index);
        by.meter(traffic, index, false, true);
    }

    @Override
    public void atomic(int index) {
        Tracer by = tracer;
        if (by == null) {
            return;
        }
        checkBounds(by, index, "adds to");
        if (by.checks()) {
            if (!initialised.get(index)) {
                throw by.fault(Kind.UNINITIALISED, this, index, "adds to", NOTHING);
            }
            long now = by.stamp();
            refuseConflict(by, writes, index, now, "adds to", "wrote");
            refuseConflict(by, reads, index, now, "adds to", "read");
            atomics = noted(atomics, index, now);
        }
        by.meter(traffic, index, true, true);
    }

    /** An asynchronous copy is under way to an element, which holds nothing until the copy lands. */
    void copying(int index) {
        write(index);
        initialised.clear(index);
    }

    /** The copy is complete. */
    void landed(int index) {
        if (tracer != null) {
            checkWrite(tracer, index);
        }
    }

    private void checkWrite(Tracer by, int index) {
        checkBounds(by, index, "writes");
        if (by.checks()) {
            long now = by.stamp();
            refuseConflict(by, writes, index, now, "writes", "wrote");
            refuseConflict(by, reads, index, now, "writes", "read");
            refuseConflict(by, atomics, index, now, "writes", "added to");
            writes = noted(writes, index, now);
        }
        initialised.set(index);
    }

    private void checkBounds(Tracer by, int index, String does) {
        if (index < 0 || index >= elements) {
            throw by.fault(Kind.OUT_OF_BOUNDS, this, index, does, "outside of its " + elements + " elements");
        }
    }

    private void refuseConflict(Tracer by, @Nullable Stamps with, int index, long now, String does, String did) {
        if (with == null) {
            return;
        }
        long earlier = with.conflict(index, now);
        if (earlier != 0) {
            throw by.race(this, index, does, did, earlier);
        }
    }

    private Stamps noted(@Nullable Stamps kind, int index, long now) {
        Stamps stamps = Objects.requireNonNullElseGet(kind, () -> new Stamps(elements));
        stamps.add(index, now);
        return stamps;
    }
}
