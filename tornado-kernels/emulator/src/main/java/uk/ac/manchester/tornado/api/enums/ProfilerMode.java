package uk.ac.manchester.tornado.api.enums;

/** What becomes of the profile of an execution. */
public enum ProfilerMode {
    /** It is printed. */
    CONSOLE,
    /** It can be asked for. */
    SILENT
}
