package org.hotrow.engine.chat;

import java.io.IOException;
import org.hotrow.engine.Console;
import org.hotrow.engine.EngineException;
import org.hotrow.engine.Interrupt;
import org.jspecify.annotations.Nullable;

/** Lines of stdin that nobody types. Ctrl-C ends the process, once what there is of an answer has been printed. */
final class PipedLines implements Lines {
    private final Console console;

    PipedLines(Console console) {
        this.console = console;
    }

    @Override
    public Line read(String prompt) {
        try {
            @Nullable String line = console.in().readLine();
            return line == null ? new End() : new Text(line);
        } catch (IOException e) {
            throw new EngineException("stdin can't be read: " + e.getMessage());
        }
    }

    @Override
    public void remember(String message) {}

    @Override
    public Stop working(Runnable heard) {
        Interrupt interrupt = new Interrupt();
        return new Stop() {
            @Override
            public boolean requested() {
                return interrupt.requested();
            }

            @Override
            public void close() {
                interrupt.close();
            }
        };
    }

    @Override
    public int columns() {
        return 0;
    }

    @Override
    public int rows() {
        return 0;
    }

    @Override
    public void status(String line) {}

    @Override
    public void close() {}
}
