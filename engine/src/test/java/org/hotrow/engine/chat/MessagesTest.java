package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.hotrow.engine.chat.Lines.Cancelled;
import org.hotrow.engine.chat.Lines.End;
import org.hotrow.engine.chat.Lines.Line;
import org.hotrow.engine.chat.Lines.Text;
import org.hotrow.engine.chat.Messages.Dropped;
import org.hotrow.engine.chat.Messages.Input;
import org.hotrow.engine.chat.Messages.Message;
import org.hotrow.engine.chat.Messages.Over;
import org.hotrow.engine.chat.Messages.Slash;
import org.hotrow.engine.chat.Messages.TakenBack;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final class Given implements Lines {
        private final Deque<Line> lines;
        private final List<String> prompts = new ArrayList<>();

        Given(List<Line> lines) {
            this.lines = new ArrayDeque<>(lines);
        }

        @Override
        public Line read(String prompt) {
            prompts.add(prompt);
            return lines.isEmpty() ? new End() : lines.pop();
        }

        @Override
        public void remember(String message) {}

        @Override
        public Stop working(Runnable heard) {
            throw new UnsupportedOperationException();
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

    private static Input first(Line... lines) {
        return new Messages(new Given(List.of(lines)), false).next();
    }

    private static Input typed(Line... lines) {
        return new Messages(new Given(List.of(lines)), true).next();
    }

    private static Input first(String... lines) {
        return first(List.of(lines).stream().map(Text::new).toArray(Line[]::new));
    }

    private static String text(String... lines) {
        return ((Message) first(lines)).text();
    }

    @Test
    void aLineIsAMessageAndASlashACommand() {
        assertThat(text("Hello", "there")).isEqualTo("Hello");
        assertThat(first("/set think off ")).isEqualTo(new Slash("/set think off"));
        assertThat(first(new Line[0])).isEqualTo(new Over());
    }

    @Test
    void aBackslashAtTheEndGoesOn() {
        assertThat(text("a\\", "b\\", "c", "d")).isEqualTo("a\nb\nc");
        assertThat(text("a\\")).isEqualTo("a");
        assertThat(text("/a\\", "b")).isEqualTo("/a\nb");
    }

    @Test
    void pastedLinesKeepTheirBackslashesAndSlashes() {
        assertThat(text("/bin/ls \\\n  -l\n")).isEqualTo("/bin/ls \\\n  -l\n");
    }

    @Test
    void quotesHoldLinesAsTheyAre() {
        assertThat(text("\"\"\"", "one", "/two \\", "\"\"\"")).isEqualTo("one\n/two \\");
        assertThat(text("\"\"\"one\"\"\"")).isEqualTo("one");
        assertThat(text("  \"\"\"one", "", "two\"\"\"  ")).isEqualTo("one\n\ntwo");
        assertThat(text("\"\"\"never closed", "end")).isEqualTo("never closed\nend");
        assertThat(text("\"\"\"\"", "a\"\"\"")).isEqualTo("\"\na");
        assertThat(first("\"\"\"", "a", "\"\"\"")).isEqualTo(new Message("a", "\"\"\"\na\n\"\"\""));
    }

    @Test
    void ctrlCTakesBackWhatWasBegun() {
        assertThat(first(new Cancelled(true))).isEqualTo(new TakenBack(true));
        assertThat(first(new Text("a\\"), new Cancelled(true))).isEqualTo(new Dropped());
        assertThat(first(new Text("\"\"\"a"), new Cancelled(true))).isEqualTo(new Dropped());
    }

    @Test
    void ctrlDInAMessageOfSeveralLinesDropsItToo() {
        assertThat(typed(new Text("\"\"\"a"), new End())).isEqualTo(new Dropped());
        assertThat(typed(new Text("a\\"), new End())).isEqualTo(new Dropped());
        assertThat(typed(new End())).isEqualTo(new Over());
    }

    @Test
    void theContinuationPromptSaysHowABlockEnds() {
        Given lines = new Given(Stream.of("\"\"\"", "one", "/help set", "/none", "\"\"\"")
                .<Line>map(Text::new)
                .toList());
        assertThat(new Messages(lines, true).next()).isInstanceOf(Message.class);
        assertThat(lines.prompts)
                .containsExactly(
                        "> ",
                        "(\"\"\" ends the message, Ctrl-C drops it)\n. ",
                        ". ",
                        "(part of the message, no command: \"\"\" ends it, Ctrl-C drops it)\n. ",
                        ". ");
    }
}
