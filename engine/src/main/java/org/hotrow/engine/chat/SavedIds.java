package org.hotrow.engine.chat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.hotrow.engine.FinishReason;
import org.hotrow.engine.Model;
import org.hotrow.engine.RequestException;
import org.hotrow.engine.Session;
import org.hotrow.engine.chat.Conversation.Turn;
import org.hotrow.modelloader.StreamingDecoder;
import org.jspecify.annotations.Nullable;

/**
 * What the answers of a saved conversation are in the ids of the model that goes on with it: those that were saved, if
 * the same model said them and they still are the text beside them; else the ids of the text.
 */
final class SavedIds {
    private final Model model;
    private @Nullable String fingerprint;

    SavedIds(Model model) {
        this.model = model;
    }

    /** What tells the model from others. */
    String fingerprint() {
        if (fingerprint == null) {
            fingerprint = model.fingerprint();
        }
        return fingerprint;
    }

    /** Whether this model said it. */
    boolean own(Transcript saved) {
        return saved.fingerprint().equals(fingerprint());
    }

    /**
     * The turns, with ids of this model.
     *
     * @throws RequestException if ids that this model should have said are not in its vocabulary
     */
    List<Turn> turns(Path file, Transcript saved) {
        boolean own = own(saved);
        Session session = new Session(model);
        return saved.turns().stream()
                .map(turn -> own && says(file, turn) ? turn : encoded(session, turn))
                .toList();
    }

    private static Turn encoded(Session session, Turn turn) {
        List<Integer> ids = Arrays.stream(session.encode(turn.said())).boxed().toList();
        return new Turn(turn.user(), turn.thinking(), ids, turn.said(), turn.reason());
    }

    /** Whether the ids are the text, or go on after it where a stop string cut it off. */
    private boolean says(Path file, Turn turn) {
        int vocabulary = model.config().vocabSize();
        if (turn.outputIds().stream().anyMatch(id -> id >= vocabulary)) {
            throw new RequestException(file + ": messages: output_ids: expected ids of 0 to " + (vocabulary - 1));
        }
        StreamingDecoder decoder = model.tokenizer().orElseThrow().streamingDecoder(true);
        StringBuilder text = new StringBuilder();
        turn.outputIds().forEach(id -> text.append(decoder.push(id)));
        text.append(decoder.finish());
        String whole = text.toString();
        return whole.equals(turn.said()) || (turn.reason() == FinishReason.STOP && whole.startsWith(turn.said()));
    }
}
