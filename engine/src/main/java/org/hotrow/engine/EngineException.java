package org.hotrow.engine;

/** Something that went wrong while running, told to the user as it is: what, where, and what to do. */
public final class EngineException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message one line for the user */
    public EngineException(String message) {
        super(message);
    }

    /** @param message one line for the user */
    public EngineException(String message, Throwable cause) {
        super(message, cause);
    }
}
