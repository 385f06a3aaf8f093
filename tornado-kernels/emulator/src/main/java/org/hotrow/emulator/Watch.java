package org.hotrow.emulator;

/** Hears of each access to an array by a kernel, before it happens. Indices may lie outside of the array. */
public interface Watch {
    /** An element will be read. */
    void read(int index);

    /** An element will be written. */
    void write(int index);

    /** An element will be changed atomically. */
    void atomic(int index);
}
