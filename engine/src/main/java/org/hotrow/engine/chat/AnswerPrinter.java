package org.hotrow.engine.chat;

import org.hotrow.engine.Model;
import org.hotrow.engine.StopStrings;
import org.hotrow.engine.TokenListener;
import org.hotrow.modelloader.StreamingDecoder;

/** Shows an answer token by token, a character only when all its bytes are there, and keeps it as the model said it. */
final class AnswerPrinter implements TokenListener {
    private final StreamingDecoder decoder;
    private final StopStrings stops;
    private final AnswerParts parts;
    private final Screen screen;
    private final boolean thinking;
    private final Runnable prefilled;
    private final Runnable each;
    private final StringBuilder said = new StringBuilder();
    private AnswerParts.Kind last = AnswerParts.Kind.TEXT;
    private boolean lineBegun;
    private boolean toolCalled;

    /**
     * @param reasoning whether the answer begins inside of its reasoning
     * @param thinking whether reasoning is shown
     * @param prefilled runs before the first token
     * @param each runs after each token
     */
    AnswerPrinter(
            Model model,
            StopStrings stops,
            Screen screen,
            boolean reasoning,
            boolean thinking,
            Runnable prefilled,
            Runnable each) {
        decoder = model.tokenizer().orElseThrow().streamingDecoder(true);
        this.stops = stops;
        this.screen = screen;
        this.thinking = thinking;
        this.prefilled = prefilled;
        this.each = each;
        parts = new AnswerParts(reasoning, this::show);
    }

    @Override
    public void prefilled() {
        prefilled.run();
    }

    @Override
    public boolean accept(int id) {
        emit(stops.push(decoder.push(id)));
        each.run();
        return !stops.hit();
    }

    /** Shows what was held back and ends the line. */
    void finish() {
        emit(stops.push(decoder.finish()));
        emit(stops.finish());
        parts.finish();
        if (last == AnswerParts.Kind.REASONING && thinking) {
            screen.line("");
        } else {
            screen.answer("\n");
        }
    }

    /** All text so far, reasoning and tool calls with their tags. */
    String said() {
        return said.toString();
    }

    /** Whether a tool call was among it. */
    boolean toolCalled() {
        return toolCalled;
    }

    private void emit(String text) {
        said.append(text);
        parts.push(text);
    }

    private void show(AnswerParts.Kind kind, String text) {
        switch (kind) {
            case REASONING -> reason(text);
            case TEXT -> answer(text);
            case TOOL_CALL -> call(text);
        }
    }

    private void reason(String text) {
        if (thinking) {
            screen.reasoning(text);
            last = AnswerParts.Kind.REASONING;
        }
    }

    private void answer(String text) {
        String begun = lineBegun ? text : text.stripLeading();
        if (begun.isEmpty()) {
            return;
        }
        leaveReasoning();
        screen.answer(begun);
        lineBegun = true;
        last = AnswerParts.Kind.TEXT;
    }

    private void call(String text) {
        leaveReasoning();
        screen.answer((lineBegun ? "\n" : "") + ToolCall.shown(text));
        toolCalled = true;
        lineBegun = true;
        last = AnswerParts.Kind.TOOL_CALL;
    }

    private void leaveReasoning() {
        if (last == AnswerParts.Kind.REASONING) {
            screen.line("");
        }
    }
}
