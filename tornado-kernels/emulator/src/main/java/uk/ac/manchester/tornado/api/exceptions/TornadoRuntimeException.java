package uk.ac.manchester.tornado.api.exceptions;

/** A graph or plan that cannot run as asked. */
public class TornadoRuntimeException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoRuntimeException(String message) {
        super(message);
    }

    public TornadoRuntimeException(Exception cause) {
        super(cause);
    }
}
