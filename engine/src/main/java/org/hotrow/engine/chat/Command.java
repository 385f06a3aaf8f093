package org.hotrow.engine.chat;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The commands: what they are called, what they take, what they do, and what completes their argument. */
enum Command {
    /** Lists them. */
    HELP("/help", "[COMMAND]", "lists the commands, or says more of one", Argument.COMMAND),
    /** Changes a setting. */
    SET("/set", "[NAME [VALUE]]", "shows or changes a setting", Argument.SETTING),
    /** Shows something. */
    SHOW("/show", "TOPIC", "model, config, kv, kernels, kernel NAME or memory", Argument.TOPIC),
    /** The system message. */
    SYSTEM(
            "/system",
            "[TEXT | off]",
            "shows, sets or removes the system message; the conversation stays",
            Argument.NONE),
    /** Begins anew. */
    CLEAR("/clear", "", "begins anew, with the same system message and settings", Argument.NONE),
    /** Answers again. */
    REGEN("/regen", "", "answers the last message again", Argument.NONE),
    /** Takes back. */
    UNDO("/undo", "", "takes back the last message and its answer", Argument.NONE),
    /** Writes a file. */
    SAVE("/save", "FILE", "writes messages, settings and model to a JSON file", Argument.FILE),
    /** Reads a file. */
    LOAD("/load", "FILE", "goes on where a saved conversation ended", Argument.FILE),
    /** A text file. */
    FILE("/file", "FILE", "puts a text file before the next message", Argument.FILE),
    /** Numbers. */
    STATS("/stats", "", "numbers of the last answer and of the conversation", Argument.NONE),
    /** Leaves. */
    QUIT("/quit", "", "leaves; so does Ctrl-D on an empty line", Argument.NONE);

    /** What an argument is, for completion. */
    enum Argument {
        /** Nothing that could be completed. */
        NONE,
        /** One of the commands. */
        COMMAND,
        /** A setting and its value. */
        SETTING,
        /** What {@code /show} shows. */
        TOPIC,
        /** A path. */
        FILE
    }

    private final String word;
    private final String parameters;
    private final String help;
    private final Argument argument;

    Command(String word, String parameters, String help, Argument argument) {
        this.word = word;
        this.parameters = parameters;
        this.help = help;
        this.argument = argument;
    }

    /** Its name, with the slash. */
    String word() {
        return word;
    }

    /** Its name and what it takes. */
    String usage() {
        return parameters.isEmpty() ? word : word + " " + parameters;
    }

    /** What it does, one line. */
    String help() {
        return help;
    }

    /** What its argument is. */
    Argument argument() {
        return argument;
    }

    /** The command of a name; {@code /?}, {@code /exit} and {@code /bye} are known too. */
    static Optional<Command> named(String word) {
        return switch (word) {
            case "/?" -> Optional.of(HELP);
            case "/exit", "/bye" -> Optional.of(QUIT);
            default ->
                Arrays.stream(values())
                        .filter(command -> command.word.equals(word))
                        .findFirst();
        };
    }

    /** All names. */
    static List<String> words() {
        return Arrays.stream(values()).map(Command::word).toList();
    }
}
