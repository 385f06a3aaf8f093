package org.hotrow.allocator;

/** Where the rows of a page of a request are. */
public enum PageState {
    /** On the device only; rows may still be added. */
    DIRTY,
    /** On the device, being copied to the host. */
    COPYING,
    /** On the device and on the host. */
    CLEAN,
    /** On the host, and still readable on the device until its block is taken. */
    UNPINNED,
    /** On the host only: reused or never restored. */
    LOST
}
