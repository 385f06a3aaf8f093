package org.hotrow.engine.chat;

import java.io.IOError;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import org.jline.keymap.KeyMap;
import org.jline.reader.Binding;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.Reference;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jline.terminal.TerminalBuilder;
import org.jline.terminal.TerminalBuilder.SystemOutput;
import org.jline.utils.AttributedString;
import org.jline.utils.Signals;
import org.jline.utils.Status;
import org.jspecify.annotations.Nullable;

/**
 * A person at a terminal, who edits lines with JLine on stderr. Ctrl-C sets a flag while there is work and takes back
 * what is typed at the prompt; it never ends the process.
 *
 * <p>While there is work the terminal doesn't echo: what is typed ahead waits for the next prompt.
 */
final class Keyboard implements Lines {
    private static final int HISTORY_LINES = 10_000;
    private static final Pattern TIMED = Pattern.compile("(0|\\d{12,15}):");
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    private final Terminal terminal;
    private final LineReader reader;
    private final MessageHistory history;
    private final AtomicBoolean ctrlC;
    private @Nullable Status status;
    private String shown = "";

    /** Takes whole messages only, not each line of them. */
    private static final class MessageHistory extends DefaultHistory {
        @Override
        public void add(Instant time, String line) {
            // The reader adds single lines.
        }

        /** A line that has no time, because another program wrote it, is a message too. */
        @Override
        protected void addHistoryLine(Path file, String line, boolean checkDuplicates) {
            super.addHistoryLine(file, TIMED.matcher(line).lookingAt() ? line : "0:" + line, checkDuplicates);
        }

        void remember(String message) {
            super.add(Instant.now(), message);
        }
    }

    private Keyboard(Terminal terminal, LineReader reader, MessageHistory history, AtomicBoolean ctrlC) {
        this.terminal = terminal;
        this.reader = reader;
        this.history = history;
        this.ctrlC = ctrlC;
    }

    /**
     * Opens the terminal of the process.
     *
     * @param historyFile where messages are kept, if anywhere
     * @param ctrlC is set by Ctrl-C, from now on
     */
    static Keyboard open(Optional<Path> historyFile, Completer completer, AtomicBoolean ctrlC) {
        try {
            @Nullable String term = System.getenv("TERM");
            String type = TerminalType.of(term);
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .type(type)
                    .systemOutput(SystemOutput.SysErr)
                    .encoding(StandardCharsets.UTF_8)
                    // It asks the terminal and swallows what was typed ahead while it waits for the answer.
                    .graphemeCluster(false)
                    .build();
            terminal.handle(Signal.INT, ignored -> ctrlC.set(true));
            if (type.equals(Terminal.TYPE_DUMB)) {
                terminal.writer()
                        .println("TERM is " + (term == null || term.isEmpty() ? "not set" : term)
                                + ", which nothing is known of, so arrow keys and Tab do nothing");
                // Only of a terminal that it knows does JLine hear signals.
                Signals.register("INT", () -> terminal.raise(Signal.INT));
            }
            DefaultParser words = new DefaultParser();
            words.setQuoteChars(new char[0]);
            words.setEscapeChars(new char[0]);
            MessageHistory history = new MessageHistory();
            LineReaderBuilder builder = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .parser(words)
                    .history(history)
                    .completer(completer)
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .variable(LineReader.HISTORY_SIZE, HISTORY_LINES)
                    .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_LINES)
                    .variable(LineReader.SECONDARY_PROMPT_PATTERN, "");
            historyFile
                    .filter(file -> usable(file, terminal))
                    .ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
            LineReader reader = builder.build();
            bindKeys(Objects.requireNonNull(reader.getKeyMaps().get(LineReader.EMACS)));
            return new Keyboard(terminal, reader, history, ctrlC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Terminals send one or the other form, whatever terminfo says. */
    private static void bindKeys(KeyMap<Binding> keys) {
        for (String begin : List.of("\u001b[", "\u001bO")) {
            keys.bind(new Reference(LineReader.UP_LINE_OR_SEARCH), begin + "A");
            keys.bind(new Reference(LineReader.DOWN_LINE_OR_SEARCH), begin + "B");
            keys.bind(new Reference(LineReader.FORWARD_CHAR), begin + "C");
            keys.bind(new Reference(LineReader.BACKWARD_CHAR), begin + "D");
            keys.bind(new Reference(LineReader.BEGINNING_OF_LINE), begin + "H");
            keys.bind(new Reference(LineReader.END_OF_LINE), begin + "F");
        }
    }

    /** Whether a history can be read from the file and written to it; if not, the terminal says so. */
    private static boolean usable(Path file, Terminal terminal) {
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            if (!Files.exists(file)) {
                Files.createFile(file, PosixFilePermissions.asFileAttribute(OWNER_ONLY));
            }
            Files.readString(file);
            if (Files.isWritable(file)) {
                return true;
            }
            terminal.writer().println(file + ": no history is kept, the file can't be written");
        } catch (IOException | UnsupportedOperationException e) {
            terminal.writer().println(file + ": no history is kept, the file is no readable UTF-8 (" + e + ")");
        }
        terminal.flush();
        return false;
    }

    @Override
    public Line read(String prompt) {
        try {
            return new Text(reader.readLine(prompt));
        } catch (UserInterruptException e) {
            return new Cancelled(e.getPartialLine().isEmpty());
        } catch (EndOfFileException | IOError e) {
            return new End();
        }
    }

    @Override
    public void remember(String message) {
        history.remember(message);
    }

    @Override
    public Stop working(Runnable heard) {
        ctrlC.set(false);
        SignalHandler idle = terminal.handle(Signal.INT, ignored -> {
            ctrlC.set(true);
            heard.run();
        });
        Attributes before = terminal.getAttributes();
        Attributes quiet = new Attributes(before);
        quiet.setLocalFlags(EnumSet.of(LocalFlag.ICANON, LocalFlag.ECHO, LocalFlag.IEXTEN), false);
        terminal.setAttributes(quiet);
        return new Stop() {
            @Override
            public boolean requested() {
                return ctrlC.get();
            }

            @Override
            public void close() {
                terminal.setAttributes(before);
                terminal.handle(Signal.INT, idle);
            }
        };
    }

    @Override
    public int columns() {
        return terminal.getSize().getColumns();
    }

    @Override
    public int rows() {
        return terminal.getSize().getRows();
    }

    @Override
    public void status(String line) {
        if (line.equals(shown)) {
            return;
        }
        shown = line;
        if (status == null) {
            status = Status.getStatus(terminal, true);
        }
        if (status != null) {
            status.update(line.isEmpty() ? List.of() : List.of(new AttributedString(line)));
        }
    }

    @Override
    public void close() {
        try {
            status("");
            terminal.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
