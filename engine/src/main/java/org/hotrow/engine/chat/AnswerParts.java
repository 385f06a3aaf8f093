package org.hotrow.engine.chat;

import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Splits what a model says into reasoning, text and tool calls, as it comes:
 *
 * <pre>
 * [reasoning &lt;/think>] text &lt;tool_call> call &lt;/tool_call> text ...
 * </pre>
 *
 * A tag may be spread over pieces, so text that may turn out to begin one is held back. A tool call comes as a whole.
 */
final class AnswerParts {
    /** What a piece is. */
    enum Kind {
        /** Thought before the answer. */
        REASONING,
        /** The answer. */
        TEXT,
        /** Name and arguments of a call. */
        TOOL_CALL
    }

    /** A tag that ends one kind of text and begins another. */
    private record Tag(Kind from, String text, Kind to) {}

    private static final List<Tag> TAGS = List.of(
            new Tag(Kind.TEXT, "<think>", Kind.REASONING),
            new Tag(Kind.TEXT, "<tool_call>", Kind.TOOL_CALL),
            new Tag(Kind.REASONING, "</think>", Kind.TEXT),
            new Tag(Kind.TOOL_CALL, "</tool_call>", Kind.TEXT));

    private final BiConsumer<Kind, String> sink;
    private final StringBuilder held = new StringBuilder();
    private Kind kind;

    /**
     * @param reasoning whether the answer begins inside of its reasoning
     * @param sink hears each piece that is not empty, and of what kind it is
     */
    AnswerParts(boolean reasoning, BiConsumer<Kind, String> sink) {
        kind = reasoning ? Kind.REASONING : Kind.TEXT;
        this.sink = sink;
    }

    void push(String piece) {
        held.append(piece);
        for (Tag tag = first(); tag != null; tag = first()) {
            int at = held.indexOf(tag.text);
            give(at);
            held.delete(0, tag.text.length());
            kind = tag.to;
        }
        if (kind != Kind.TOOL_CALL) {
            give(held.length() - longestBeginning());
        }
    }

    /** Nothing follows. */
    void finish() {
        give(held.length());
    }

    private void give(int length) {
        if (length > 0) {
            String text = held.substring(0, length);
            held.delete(0, length);
            sink.accept(kind, text);
        }
    }

    private @Nullable Tag first() {
        Tag first = null;
        for (Tag tag : TAGS) {
            int at = tag.from == kind ? held.indexOf(tag.text) : -1;
            if (at >= 0 && (first == null || at < held.indexOf(first.text))) {
                first = tag;
            }
        }
        return first;
    }

    /** Length of the longest end of the held text that a tag begins with. */
    private int longestBeginning() {
        int longest = 0;
        for (Tag tag : TAGS) {
            for (int length = Math.min(tag.text.length() - 1, held.length());
                    tag.from == kind && length > longest;
                    length--) {
                if (held.indexOf(tag.text.substring(0, length), held.length() - length) >= 0) {
                    longest = length;
                }
            }
        }
        return longest;
    }
}
