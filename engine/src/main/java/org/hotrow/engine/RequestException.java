package org.hotrow.engine;

/** A request that can't be run as it was asked: a flag, a file or a prompt is wrong. Nothing was done. */
public final class RequestException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message one line for the user: what is wrong, what was expected */
    public RequestException(String message) {
        super(message);
    }

    RequestException(String message, Throwable cause) {
        super(message, cause);
    }
}
