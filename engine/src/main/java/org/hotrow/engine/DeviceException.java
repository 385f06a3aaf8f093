package org.hotrow.engine;

/** There is no such device here: exit code 4. */
public final class DeviceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message one line for the user: what is missing, what to do */
    public DeviceException(String message) {
        super(message);
    }
}
