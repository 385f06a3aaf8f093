package org.hotrow.engine.chat;

/** Where lines of input come from: a keyboard or a pipe. */
interface Lines extends AutoCloseable {
    /** What came. */
    sealed interface Line {}

    /** A line; of a keyboard also several, pasted. */
    record Text(String text) implements Line {}

    /** Ctrl-C; {@code empty} if nothing had been typed. */
    record Cancelled(boolean empty) implements Line {}

    /** No line follows. */
    record End() implements Line {}

    /** Whether somebody wants the work that goes on to stop. */
    interface Stop extends AutoCloseable {
        boolean requested();

        @Override
        void close();
    }

    /** The next line. */
    Line read(String prompt);

    /** Keeps a whole message for the arrow keys. */
    void remember(String message);

    /**
     * From now on Ctrl-C stops the work.
     *
     * @param heard runs at once when it comes, on any thread
     */
    Stop working(Runnable heard);

    /** Columns of the terminal; 0 if there is none. */
    int columns();

    /** Rows of the terminal; 0 if there is none. */
    int rows();

    /** Replaces the status line; an empty one takes it away. */
    void status(String line);

    @Override
    void close();
}
