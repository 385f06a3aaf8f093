package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.hotrow.engine.Console;
import org.hotrow.engine.Model;
import org.hotrow.engine.Session;
import org.hotrow.engine.StopStrings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a model says, as it appears. */
class ScreenTest {
    private static final String SAID =
            "hm \u001b[31m</think>\n\nYes.<tool_call>add<arg_key>a</arg_key><arg_value>1</arg_value>" + "</tool_call>";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private Screen screen(boolean terminal) {
        Console console = new Console(
                new BufferedReader(new StringReader("")),
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal,
                false);
        return new Screen(console, () -> 0);
    }

    private String say(boolean terminal, boolean thinking) {
        try (Model model = Model.open(Path.of("demo-model"))) {
            AnswerPrinter printer = new AnswerPrinter(
                    model, new StopStrings(List.of()), screen(terminal), true, thinking, () -> {}, () -> {});
            for (int id : new Session(model).encode(SAID)) {
                assertThat(printer.accept(id)).isTrue();
            }
            printer.finish();
            assertThat(printer.said()).isEqualTo(SAID);
            assertThat(printer.toolCalled()).isTrue();
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void reasoningIsNoPartOfTheAnswer(boolean terminal, boolean thinking) {
        assertThat(say(terminal, thinking)).isEqualTo("Yes.\ntool call: add(a = 1)\n");
        String reasoning = err.toString(StandardCharsets.UTF_8);
        if (!thinking) {
            assertThat(reasoning).isEmpty();
        } else if (terminal) {
            assertThat(reasoning.replace("\u001b[2m", "").replace("\u001b[0m", ""))
                    .isEqualTo("hm ^[[31m\n");
            assertThat(reasoning).startsWith("\u001b[2mh");
        } else {
            assertThat(reasoning).isEqualTo("hm \u001b[31m\n");
        }
    }

    @Test
    void controlCharactersAreShown() {
        assertThat(Screen.harmless("a\u001b[2J\tb\n\u0007\u007f\u009bc")).isEqualTo("a^[[2J\tb\n^G^?\ufffdc");
        assertThat(screen(false).width()).isEqualTo(80);
    }
}
