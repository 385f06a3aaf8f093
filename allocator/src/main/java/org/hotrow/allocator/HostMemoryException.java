package org.hotrow.allocator;

/** Host memory could not be had or given back. The message says what was tried and what to do. */
public final class HostMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public HostMemoryException(String message) {
        super(message);
    }

    public HostMemoryException(String message, Throwable cause) {
        super(message, cause);
    }
}
