package org.hotrow.engine;

import java.util.Optional;
import org.hotrow.modelloader.StreamingDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Turns ids into text as they come: by the tokenizer, without special tokens, or as numbers if there is none. Ends the
 * text before a stop string.
 */
final class TokenPrinter implements TokenListener {
    private final @Nullable Console console;
    private final Optional<StreamingDecoder> decoder;
    private final StopStrings stops;
    private final StringBuilder text = new StringBuilder();
    private boolean first = true;

    /** @param console takes each piece at once; null collects the text only */
    TokenPrinter(@Nullable Console console, Model model, StopStrings stops) {
        this.console = console;
        this.stops = stops;
        decoder = model.text().tokenizer().map(tokenizer -> tokenizer.streamingDecoder(true));
    }

    @Override
    public boolean accept(int id) {
        String piece = decoder.isPresent() ? decoder.get().push(id) : (first ? "" : " ") + id;
        first = false;
        emit(stops.push(piece));
        return !stops.hit();
    }

    /** Gives out what was held back. */
    void finish() {
        decoder.ifPresent(held -> emit(stops.push(held.finish())));
        emit(stops.finish());
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
