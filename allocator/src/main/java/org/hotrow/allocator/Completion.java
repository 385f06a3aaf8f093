package org.hotrow.allocator;

/**
 * News of a copy to the host, by the number that {@link Step.WriteBack} gave it. Any thread may bring it to
 * {@link Allocator#post}.
 */
public record Completion(long copy, Kind kind) {
    /** What happened. */
    public enum Kind {
        /** Everything that is enqueued later on the device sees the source only after the copy has read it. */
        ENQUEUED,
        /** The host page has all its bytes. */
        COMPLETED,
        /** The host page is worthless. */
        FAILED
    }
}
