package uk.ac.manchester.tornado.api.common;

/** What a task does with an argument. */
public enum Access {
    /** Nothing. */
    NONE,
    /** Reads it. */
    READ_ONLY,
    /** Overwrites it. */
    WRITE_ONLY,
    /** Reads and writes it. */
    READ_WRITE
}
