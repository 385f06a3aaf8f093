package org.hotrow.bench;

import java.nio.file.Path;

/** A trace that can't be used: names file, line and field, and what was expected. */
final class TraceException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TraceException(Path file, int line, String problem) {
        super(file + ", line " + line + ": " + problem);
    }
}
