package org.hotrow.engine;

import java.io.PrintStream;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.hotrow.modelloader.StreamingDecoder;
import org.jspecify.annotations.Nullable;

/** Turns ids into text as they come: by the tokenizer, without special tokens, or as numbers if there is none. */
final class TokenPrinter implements IntConsumer {
    private final @Nullable PrintStream out;
    private final Optional<StreamingDecoder> decoder;
    private final StringBuilder text = new StringBuilder();

    private TokenPrinter(@Nullable PrintStream out, Model model) {
        this.out = out;
        decoder = model.tokenizer().map(tokenizer -> tokenizer.streamingDecoder(true));
    }

    /** Prints to {@code out}, each piece at once. */
    static TokenPrinter to(PrintStream out, Model model) {
        return new TokenPrinter(out, model);
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
        if (out != null) {
            out.println();
            out.flush();
        }
    }

    /** All text so far. */
    String text() {
        return text.toString();
    }

    private void emit(String piece) {
        text.append(piece);
        if (out != null) {
            out.print(piece);
            out.flush();
        }
    }
}
