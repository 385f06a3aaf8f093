package org.hotrow.engine;

import java.util.Optional;
import java.util.function.IntConsumer;
import org.hotrow.modelloader.StreamingDecoder;
import org.jspecify.annotations.Nullable;

/** Turns ids into text as they come: by the tokenizer, without special tokens, or as numbers if there is none. */
final class TokenPrinter implements IntConsumer {
    private final @Nullable Console console;
    private final Optional<StreamingDecoder> decoder;
    private final StringBuilder text = new StringBuilder();

    private TokenPrinter(@Nullable Console console, Model model) {
        this.console = console;
        decoder = model.tokenizer().map(tokenizer -> tokenizer.streamingDecoder(true));
    }

    /** Prints on stdout, each piece at once. */
    static TokenPrinter to(Console console, Model model) {
        return new TokenPrinter(console, model);
    }

    /** Collects the text only. */
    static TokenPrinter silent(Model model) {
        return new TokenPrinter(null, model);
    }

    @Override
    public void accept(int id) {
        emit(decoder.isPresent() ? decoder.get().push(id) : (text.isEmpty() ? "" : " ") + id);
    }

    /** Prints what was held back, and ends the line. */
    void finish() {
        decoder.ifPresent(held -> emit(held.finish()));
        if (console != null) {
            console.answer("\n");
        }
    }

    /** All text so far. */
    String text() {
        return text.toString();
    }

    private void emit(String piece) {
        text.append(piece);
        if (console != null) {
            console.answer(piece);
        }
    }
}
