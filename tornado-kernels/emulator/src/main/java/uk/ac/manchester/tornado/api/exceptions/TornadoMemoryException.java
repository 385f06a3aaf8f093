package uk.ac.manchester.tornado.api.exceptions;

/** Device memory used wrongly. */
public class TornadoMemoryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TornadoMemoryException(String message) {
        super(message);
    }
}
