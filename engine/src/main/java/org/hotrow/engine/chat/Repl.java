package org.hotrow.engine.chat;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hotrow.engine.Console;
import org.hotrow.engine.EngineException;
import org.hotrow.engine.Hotrow;
import org.hotrow.engine.Nearest;
import org.hotrow.engine.RequestException;
import org.hotrow.engine.TextFile;
import org.hotrow.engine.chat.Answerer.Outcome;
import org.hotrow.engine.chat.Conversation.Turn;
import org.hotrow.engine.chat.Messages.Input;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.template.TemplateException;

/**
 * The loop of {@code hotrow chat}: a message or a command, what it does, the next one. What fails is said, and the loop
 * goes on; it ends by {@code /quit} or the end of input, and for a pipe also by Ctrl-C.
 */
final class Repl {
    private static final int SHOWN = 60;

    private final Console console;
    private final Lines lines;
    private final Messages messages;
    private final Screen screen;
    private final Answerer answerer;
    private final SavedIds ids;
    private final Conversation conversation;
    private final Show show;
    private final List<String> attached = new ArrayList<>();
    private Settings settings;
    private boolean hinted;

    Repl(
            Console console,
            Lines lines,
            Screen screen,
            Answerer answerer,
            SavedIds ids,
            Conversation conversation,
            Show show,
            Settings settings) {
        this.console = console;
        this.lines = lines;
        messages = new Messages(lines, console.keyboard());
        this.screen = screen;
        this.answerer = answerer;
        this.ids = ids;
        this.conversation = conversation;
        this.show = show;
        this.settings = settings;
    }

    /** Runs until it is left; the exit code. */
    int run() {
        while (true) {
            Input input = messages.next();
            try {
                switch (input) {
                    case Messages.Over() -> {
                        return Hotrow.OK;
                    }
                    case Messages.TakenBack(boolean empty) -> hint(empty);
                    case Messages.Dropped() -> screen.dim("dropped, nothing was sent");
                    case Messages.Message(String text, String typed) -> {
                        String word = typed.strip();
                        if (word.equals("exit") || word.equals("quit")) {
                            return Hotrow.OK;
                        }
                        if (word.equals("help")) {
                            new Help(screen).print("");
                        } else if (message(text, typed).stopped() && !console.keyboard()) {
                            return Hotrow.INTERRUPTED;
                        }
                    }
                    case Messages.Slash(String line) -> {
                        if (!command(line)) {
                            return Hotrow.OK;
                        }
                    }
                }
            } catch (RequestException | TemplateException | ModelFormatException e) {
                screen.line(Setting.inChat(e.getMessage()));
            } catch (OutOfMemoryError e) {
                screen.line("out of memory (" + e.getMessage()
                        + "), so nothing was changed; HOTROW_JVM_FLAGS=-Xmx... gives Java more");
            } catch (EngineException e) {
                if (console.out().checkError()) {
                    throw e;
                }
                screen.line(Setting.inChat(e.getMessage()));
            }
        }
    }

    private void hint(boolean empty) {
        if (empty && !hinted) {
            hinted = true;
            screen.dim("Ctrl-D or /quit leaves; Ctrl-C stops an answer");
        }
    }

    private Outcome message(String text, String typed) {
        if (text.isBlank() && attached.isEmpty()) {
            return Outcome.NOT_SENT;
        }
        lines.remember(typed);
        List<String> parts = new ArrayList<>(attached);
        if (!text.isBlank()) {
            parts.add(text);
        }
        Outcome outcome = Outcome.NOT_SENT;
        try {
            outcome = answerer.answer(conversation, String.join("\n\n", parts), settings);
        } finally {
            if (outcome.kept()) {
                attached.clear();
            } else {
                notSent(!text.isBlank());
            }
        }
        return outcome;
    }

    /** What wasn't sent is not lost. */
    private void notSent(boolean typed) {
        if (typed && console.keyboard()) {
            screen.dim("arrow up brings the message back");
        }
        if (!attached.isEmpty()) {
            screen.dim((attached.size() == 1 ? "the file stays" : "the files stay")
                    + " attached to the next message; /undo takes back " + (attached.size() == 1 ? "it" : "the last"));
        }
    }

    /** Whether the loop goes on. */
    private boolean command(String line) {
        lines.remember(line);
        String word = line.split("\\s", 2)[0];
        String rest = line.substring(word.length()).strip();
        Optional<Command> command = Command.named(word);
        if (command.isEmpty()) {
            screen.line("unknown command " + word
                    + Nearest.of(word, Command.words())
                            .map(near -> ", did you mean " + near + "?")
                            .orElse(": /help lists the commands")
                    + " (text that begins with / goes between \"\"\")");
            return true;
        }
        switch (command.get()) {
            case HELP -> new Help(screen).print(rest);
            case SET -> set(rest);
            case SHOW -> show(rest);
            case SYSTEM -> system(rest);
            case CLEAR -> {
                conversation.clear();
                attached.clear();
                screen.line("a new conversation");
            }
            case REGEN -> regenerate();
            case UNDO -> undo();
            case SAVE -> save(path("/save", rest));
            case LOAD -> load(path("/load", rest));
            case FILE -> attach(path("/file", rest));
            case STATS -> answerer.stats().forEach(screen::line);
            case QUIT -> {
                return false;
            }
        }
        return true;
    }

    /** A file that waits for the next message was the last thing that was done. */
    private void undo() {
        if (!attached.isEmpty()) {
            screen.line("taken back: " + shortened(attached.removeLast()));
            return;
        }
        screen.line(conversation
                .undo()
                .map(turn -> "taken back: " + shortened(turn.user()))
                .orElse("nothing to take back"));
    }

    private void set(String rest) {
        if (rest.isEmpty()) {
            for (Setting setting : Setting.ALL) {
                screen.line(String.format("%-20s %-10s %s", setting.word(), setting.of(settings), setting.help()));
            }
            return;
        }
        String[] words = rest.split("\\s+", 2);
        Setting setting = Setting.named(words[0])
                .orElseThrow(() -> new RequestException("unknown setting " + words[0]
                        + Nearest.of(words[0], Setting.words())
                                .map(near -> ", did you mean " + near + "?")
                                .orElse(": /set lists them")));
        if (words.length > 1) {
            change(setting.set(settings, words[1].strip()));
        }
        screen.line(setting.word() + " " + setting.of(settings));
    }

    private void change(Settings next) {
        try {
            answerer.use(settings, next);
        } catch (EngineException e) {
            throw new EngineException(e.getMessage() + "; the settings stay as they were");
        }
        if (!settings.cache().equals(next.cache()) && !conversation.turns().isEmpty()) {
            screen.dim("the cache is empty now; the conversation is computed again when it goes on");
        }
        settings = next;
        if (!next.watch()) {
            lines.status("");
        }
    }

    private void show(String rest) {
        String[] words = rest.split("\\s+", 2);
        List<String> shown = switch (words[0]) {
            case "model" -> show.model();
            case "config" -> show.config();
            case "memory" -> show.memory();
            case "kv" -> show.kv(answerer.last(), screen.width());
            case "kernels" -> show.kernels(screen.width());
            case "kernel" -> words.length == 1 ? show.kernels(screen.width()) : show.kernel(words[1], lines.rows());
            default ->
                throw new RequestException((words[0].isEmpty() ? "/show:" : "nothing called " + words[0] + " to show,")
                        + Nearest.of(words[0], Show.TOPICS)
                                .map(near -> " did you mean " + near + "?")
                                .orElse(" expected one of " + String.join(", ", Show.TOPICS)));
        };
        shown.forEach(screen::line);
    }

    private void system(String text) {
        switch (text) {
            case "" ->
                screen.line(conversation.system().map(now -> "system: " + now).orElse("no system message"));
            case "off" -> {
                conversation.system(null);
                screen.line("no system message");
            }
            default -> {
                conversation.system(text);
                screen.line("system: " + text);
            }
        }
    }

    private void regenerate() {
        List<Turn> before = conversation.turns();
        Optional<Turn> last = conversation.undo();
        if (last.isEmpty()) {
            screen.line("nothing to answer again");
            return;
        }
        Outcome outcome = Outcome.NOT_SENT;
        try {
            outcome = answerer.answer(conversation, last.get().user(), settings);
        } finally {
            if (!outcome.kept()) {
                conversation.restore(conversation.system().orElse(null), before);
            }
        }
        if (!outcome.kept()) {
            return;
        }
        if (settings.sampling().temperature() == 0) {
            screen.dim("temperature 0 always says the same: /set temperature 0.7");
        } else if (settings.seed().isPresent()) {
            screen.dim("the same seed always says the same: /set seed off");
        }
    }

    private void save(Path file) {
        new Transcript(
                        show.modelName(),
                        ids.fingerprint(),
                        settings,
                        conversation.system().orElse(null),
                        conversation.turns())
                .save(file);
        screen.line("saved " + Units.counted(conversation.turns().size(), "turn") + " to " + file);
    }

    private void load(Path file) {
        Transcript saved = Transcript.load(file, settings);
        List<Turn> turns = ids.turns(file, saved);
        Settings before = settings;
        change(saved.settings());
        try {
            conversation.restore(saved.system(), turns);
        } catch (RuntimeException e) {
            change(before);
            throw e;
        }
        screen.line("loaded " + Units.counted(turns.size(), "turn") + " from " + file);
        if (!ids.own(saved)) {
            screen.line("they are of another model, " + saved.model() + ", so its answers are read as text");
        } else if (!turns.equals(saved.turns())) {
            screen.line("some of its texts are not what their output_ids say, so those answers are read as text");
        }
        List<String> changed = Setting.ALL.stream()
                .filter(setting -> !setting.of(before).equals(setting.of(settings)))
                .map(setting -> setting.word() + " " + setting.of(settings) + " (was " + setting.of(before) + ")")
                .toList();
        if (!changed.isEmpty()) {
            screen.line("settings of the file: " + String.join(", ", changed));
        }
    }

    private void attach(Path file) {
        String text = TextFile.read(file);
        attached.add(text);
        screen.line(file + ": " + Units.counted(text.length(), "character") + " to go before the next message");
    }

    private static Path path(String command, String text) {
        if (text.isEmpty()) {
            throw new RequestException(command + ": expected a file");
        }
        String home = System.getProperty("user.home");
        try {
            return text.startsWith("~/") ? Path.of(home, text.substring(2)) : Path.of(text);
        } catch (InvalidPathException e) {
            throw new RequestException(command + ": no file can have this name: " + e.getReason());
        }
    }

    private static String shortened(String text) {
        String line = text.lines().findFirst().orElse("");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "...";
    }
}
