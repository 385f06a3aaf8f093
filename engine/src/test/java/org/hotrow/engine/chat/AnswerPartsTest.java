package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.engine.chat.AnswerParts.Kind;
import org.junit.jupiter.api.Test;

class AnswerPartsTest {
    /** Cuts a text into pieces of so many characters; neighbours of one kind are joined again. */
    private static List<String> parts(boolean reasoning, String text, int size) {
        List<String> parts = new ArrayList<>();
        List<Kind> kinds = new ArrayList<>();
        AnswerParts split = new AnswerParts(reasoning, (kind, piece) -> {
            assertThat(piece).isNotEmpty();
            if (!kinds.isEmpty() && kinds.getLast() == kind && kind != Kind.TOOL_CALL) {
                parts.set(parts.size() - 1, parts.getLast() + piece);
            } else {
                kinds.add(kind);
                parts.add(kind + " " + piece);
            }
        });
        for (int at = 0; at < text.length(); at += size) {
            split.push(text.substring(at, Math.min(text.length(), at + size)));
        }
        split.finish();
        return parts;
    }

    @Test
    void tagsSplitWhereverPiecesEnd() {
        String text = "why <tool</think>\nBecause <b> of <tool_call>add<arg_key>a</arg_key></tool_call>< x <think>hm";
        for (int size = 1; size <= text.length(); size++) {
            assertThat(parts(true, text, size))
                    .as("pieces of %d", size)
                    .containsExactly(
                            "REASONING why <tool",
                            "TEXT \nBecause <b> of ",
                            "TOOL_CALL add<arg_key>a</arg_key>",
                            "TEXT < x ",
                            "REASONING hm");
        }
    }

    @Test
    void textIsGivenOutAtOnceUnlessItMayBeATag() {
        List<String> given = new ArrayList<>();
        AnswerParts split = new AnswerParts(false, (kind, piece) -> given.add(piece));
        split.push("a <");
        assertThat(given).containsExactly("a ");
        split.push("b");
        assertThat(given).containsExactly("a ", "<b");
    }

    @Test
    void aCloseWithoutAnOpeningIsText() {
        assertThat(parts(false, "a</think>b", 3)).containsExactly("TEXT a</think>b");
    }

    @Test
    void aToolCallIsShownAsACall() {
        assertThat(ToolCall.shown(
                        "add<arg_key>a</arg_key><arg_value>1</arg_value>\n<arg_key>b</arg_key>\n<arg_value>{\"c\": 2}"
                                + "</arg_value>"))
                .isEqualTo("tool call: add(a = 1, b = {\"c\": 2})");
        assertThat(ToolCall.shown("now\n")).isEqualTo("tool call: now()");
    }
}
