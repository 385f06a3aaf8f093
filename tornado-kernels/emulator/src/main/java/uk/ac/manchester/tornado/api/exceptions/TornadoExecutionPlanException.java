package uk.ac.manchester.tornado.api.exceptions;

/** A plan that cannot be closed. */
public class TornadoExecutionPlanException extends Exception {
    private static final long serialVersionUID = 1L;

    public TornadoExecutionPlanException(String message) {
        super(message);
    }

    public TornadoExecutionPlanException(String message, Throwable cause) {
        super(message, cause);
    }
}
