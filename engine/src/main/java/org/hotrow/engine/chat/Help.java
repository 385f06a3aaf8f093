package org.hotrow.engine.chat;

import org.hotrow.engine.Nearest;
import org.hotrow.engine.RequestException;

/** What {@code /help} says. */
final class Help {
    private final Screen screen;

    Help(Screen screen) {
        this.screen = screen;
    }

    /** All commands, or one of them. */
    void print(String rest) {
        if (rest.isEmpty()) {
            all();
            return;
        }
        String word = rest.startsWith("/") ? rest : "/" + rest;
        Command command = Command.named(word)
                .orElseThrow(() -> new RequestException("unknown command " + word
                        + Nearest.of(word, Command.words())
                                .map(near -> ", did you mean " + near + "?")
                                .orElse(": /help lists the commands")));
        screen.line(command.usage());
        screen.line("  " + command.help());
        if (command == Command.SET) {
            for (Setting setting : Setting.ALL) {
                String values = setting.choices().isEmpty() ? "" : " (" + String.join(", ", setting.choices()) + ")";
                screen.line(String.format("  %-20s %s%s", setting.word(), setting.help(), values));
            }
        }
    }

    private void all() {
        for (Command command : Command.values()) {
            screen.line(String.format("%-22s %s", command.usage(), command.help()));
        }
        screen.line("");
        screen.line("\"\"\" begins and ends a message of several lines; a line that ends with \\ goes on;");
        screen.line("pasted text is one message. Tab completes, arrows bring back what was said.");
        screen.line("help, exit and quit alone on a line are commands too.");
        screen.line("Ctrl-C stops an answer or clears the line, Ctrl-D on an empty line leaves.");
    }
}
