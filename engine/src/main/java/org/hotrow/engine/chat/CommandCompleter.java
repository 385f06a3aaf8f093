package org.hotrow.engine.chat;

import java.nio.file.Path;
import java.util.List;
import org.hotrow.engine.chat.Command.Argument;
import org.jline.builtins.Completers.FileNameCompleter;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.LineReader;
import org.jline.reader.ParsedLine;
import org.jspecify.annotations.Nullable;

/** Completes commands and their arguments. What is no command is left alone. */
final class CommandCompleter implements Completer {
    private final FileNameCompleter files = new FileNameCompleter();
    private final @Nullable Path checkout;

    /** @param checkout with the sources of the kernels, if there is one */
    CommandCompleter(@Nullable Path checkout) {
        this.checkout = checkout;
    }

    @Override
    public void complete(LineReader reader, ParsedLine line, List<Candidate> candidates) {
        List<String> words = line.words();
        if (words.isEmpty() || !words.getFirst().startsWith("/")) {
            return;
        }
        int index = line.wordIndex();
        if (index == 0) {
            add(candidates, Command.words());
            return;
        }
        Argument argument =
                Command.named(words.getFirst()).map(Command::argument).orElse(Argument.NONE);
        switch (argument) {
            case COMMAND -> add(candidates, index == 1 ? Command.words() : List.of());
            case SETTING -> add(candidates, settings(index, words.get(1)));
            case TOPIC -> add(candidates, topics(index, words.get(1)));
            case FILE -> files.complete(reader, line, candidates);
            case NONE -> {}
        }
    }

    private static List<String> settings(int index, String name) {
        return switch (index) {
            case 1 -> Setting.words();
            case 2 -> Setting.named(name).map(Setting::choices).orElse(List.of());
            default -> List.of();
        };
    }

    private List<String> topics(int index, String topic) {
        if (index == 1) {
            return Show.TOPICS;
        }
        if (index > 2 || !topic.equals("kernel") || checkout == null) {
            return List.of();
        }
        return Kernel.all(checkout).stream().map(Kernel::name).toList();
    }

    private static void add(List<Candidate> candidates, List<String> words) {
        words.forEach(word -> candidates.add(new Candidate(word)));
    }
}
