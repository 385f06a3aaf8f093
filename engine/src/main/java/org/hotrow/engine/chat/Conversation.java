package org.hotrow.engine.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.hotrow.engine.FinishReason;
import org.hotrow.engine.Session;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * What was said so far. The tokens of the next prompt are a {@link Session}'s; whatever changes the past builds that
 * anew from the turns, so that it is as if the conversation had gone that way from the beginning.
 */
final class Conversation {
    private final Supplier<Session> fresh;
    private final List<Turn> turns = new ArrayList<>();
    private @Nullable String system;
    private Session session;
    private @Nullable Question asked;

    /**
     * A message of the user and what the model answered.
     *
     * @param thinking whether the prompt asked for reasoning
     * @param outputIds what the model said
     * @param said the same as text, special tokens left out
     */
    record Turn(String user, boolean thinking, List<Integer> outputIds, String said, FinishReason reason) {
        Turn {
            outputIds = List.copyOf(outputIds);
        }
    }

    private record Question(String user, boolean thinking) {}

    /**
     * An empty conversation.
     *
     * @param fresh sessions that have not begun
     */
    Conversation(Supplier<Session> fresh, @Nullable String system) {
        this.fresh = fresh;
        this.system = system;
        session = fresh.get();
    }

    /** The turns so far. */
    List<Turn> turns() {
        return List.copyOf(turns);
    }

    /** The system message, if there is one. */
    Optional<String> system() {
        return Optional.ofNullable(system);
    }

    /** The prompt that a message makes. A message that gets no answer leaves no trace. */
    int[] ask(String user, boolean thinking) {
        asked = new Question(user, thinking);
        return prompt(session, system, turns.isEmpty(), user, thinking);
    }

    /** Whether the last prompt ends where the model's reasoning begins. */
    boolean reasoning() {
        return session.reasoning();
    }

    /** The last prompt was answered. */
    void answered(List<Integer> outputIds, String said, FinishReason reason) {
        Question question = Objects.requireNonNull(asked);
        session.answered(outputIds, said, reason);
        turns.add(new Turn(question.user, question.thinking, outputIds, said, reason));
        asked = null;
    }

    /** Takes back the last turn, if there is one. */
    Optional<Turn> undo() {
        if (turns.isEmpty()) {
            return Optional.empty();
        }
        Turn last = turns.getLast();
        restore(system, turns.subList(0, turns.size() - 1));
        return Optional.of(last);
    }

    /** Begins anew, with the same system message. */
    void clear() {
        restore(system, List.of());
    }

    /** Has another system message, or none, from the beginning on. */
    void system(@Nullable String text) {
        restore(text, turns);
    }

    /** Becomes another conversation. If the chat template refuses it, it stays as it is. */
    void restore(@Nullable String newSystem, List<Turn> newTurns) {
        List<Turn> said = List.copyOf(newTurns);
        Session replayed = fresh.get();
        boolean first = true;
        for (Turn turn : said) {
            prompt(replayed, newSystem, first, turn.user, turn.thinking);
            replayed.answered(turn.outputIds, turn.said, turn.reason);
            first = false;
        }
        session = replayed;
        system = newSystem;
        turns.clear();
        turns.addAll(said);
    }

    private static int[] prompt(
            Session session, @Nullable String system, boolean first, String user, boolean thinking) {
        List<JsonObject> messages = new ArrayList<>();
        if (first && system != null) {
            messages.add(Session.message("system", system));
        }
        messages.add(Session.message("user", user));
        session.thinking(thinking);
        return session.promptOfMessages(messages);
    }
}
