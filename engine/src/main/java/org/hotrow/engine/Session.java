package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hotrow.modelloader.ChatContext;
import org.hotrow.modelloader.ChatJson;
import org.hotrow.modelloader.JsonValue;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.hotrow.modelloader.JsonValue.JsonString;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.TextPart;
import org.hotrow.modelloader.template.TemplateValue;
import org.jspecify.annotations.Nullable;

/**
 * The tokens of a conversation, turn by turn. What the model has said comes back by its ids, not as text cut into tokens
 * anew, so that the prefix cache finds it.
 *
 * <pre>
 * rendering of all messages   | last prompt | answer as text | rest |
 * tokens of the next prompt   |  its ids    | generated ids  | ids of the rest |
 * </pre>
 *
 * If the template renders what was said before in another way (without old reasoning, say), all of it is encoded anew. A
 * turn that gets no answer leaves no trace.
 */
public final class Session {
    private final ModelText text;
    private final Set<Integer> stopIds;
    private State now = new State(List.of(), "", new int[0], new int[0]);
    private @Nullable State asked;
    private boolean encodedAnew;
    private boolean thinking = true;

    /** Where the conversation stands. */
    private static final class State {
        /** Messages that were rendered. */
        private final List<JsonObject> messages;

        /** What they were rendered as, the answer's text at its end; null once ids came that no message stands for. */
        private final @Nullable String rendering;

        /** Ids of the rendering. */
        private final int[] spoken;

        /** All ids: those spoken and a stop id that the rendering doesn't have. */
        private final int[] tokens;

        State(List<JsonObject> messages, @Nullable String rendering, int[] spoken, int[] tokens) {
            this.messages = List.copyOf(messages);
            this.rendering = rendering;
            this.spoken = spoken;
            this.tokens = tokens;
        }
    }

    /**
     * A conversation that has not begun.
     *
     * @throws ModelFormatException if the model has no tokenizer or no chat template
     */
    public Session(Model model) {
        this(model.text(), model.generation().eosIds());
        text.requireChat();
    }

    /** @param stopIds that end an answer */
    Session(ModelText text, List<Integer> stopIds) {
        this.text = text;
        this.stopIds = Set.copyOf(stopIds);
    }

    /** A message with nothing but role and text. */
    public static JsonObject message(String role, String content) {
        Map<String, JsonValue> members = new LinkedHashMap<>();
        members.put("role", new JsonString(role));
        members.put("content", new JsonString(content));
        return new JsonObject(members);
    }

    /** The prompt that ids make after all tokens so far. */
    int[] promptOfIds(int[] ids) {
        int[] tokens = joined(now.tokens, ids);
        asked = new State(now.messages, null, tokens, tokens);
        return tokens;
    }

    /** The prompt that a text makes: a message of the user, or the text itself if the model has no chat template. */
    int[] promptOfText(String turn) {
        return text.hasTemplate() ? promptOfMessages(List.of(message("user", turn))) : promptOfIds(text.encode(turn));
    }

    /**
     * The prompt up to where the model's answer begins.
     *
     * @param turn messages that are new, or all messages of the session so far, answers included, and after them new ones
     * @throws RequestException if ids came before, for which there are no messages
     */
    public int[] promptOfMessages(List<JsonObject> turn) {
        if (now.rendering == null) {
            throw new RequestException("the session has gone on by ids, which the chat template knows nothing of:"
                    + " go on by prompt_ids");
        }
        List<JsonObject> all = now.messages;
        if (turn.size() > all.size() && turn.subList(0, all.size()).equals(all)) {
            all = turn;
        } else {
            all = new ArrayList<>(all);
            all.addAll(turn);
        }
        ChatContext context = new ChatContext(ChatJson.messages(all)).addGenerationPrompt(true);
        if (!thinking) {
            context.option("enable_thinking", TemplateValue.of(false));
        }
        List<TextPart> parts = text.render(context);
        String rendering = parts.stream().map(TextPart::text).collect(Collectors.joining());
        boolean goesOn = rendering.startsWith(now.rendering);
        encodedAnew = !goesOn;
        int[] tokens =
                goesOn ? joined(now.spoken, text.encode(after(now.rendering.length(), parts))) : text.encode(parts);
        asked = new State(all, rendering, tokens, tokens);
        return tokens;
    }

    /** Whether prompts from now on leave the reasoning to the template, or ask it for none ({@code enable_thinking}). */
    public void thinking(boolean wanted) {
        thinking = wanted;
    }

    /** Whether the last prompt ends where the model's reasoning begins. */
    public boolean reasoning() {
        return asked != null
                && asked.rendering != null
                && asked.rendering.stripTrailing().endsWith("<think>");
    }

    /** The ids of a text that is no part of a prompt. */
    public int[] encode(String words) {
        return text.encode(List.of(new TextPart(words, false)));
    }

    /** Whether the last prompt repeats none of the ids before it, because the template renders them in another way. */
    boolean encodedAnew() {
        return encodedAnew;
    }

    /**
     * The last prompt was answered.
     *
     * @param said the answer's text, special tokens left out
     */
    public void answered(List<Integer> outputIds, String said, FinishReason reason) {
        State prompt = asked;
        if (prompt == null) {
            throw new IllegalStateException("an answer without a prompt");
        }
        int[] ids = outputIds.stream().mapToInt(Integer::intValue).toArray();
        boolean stopped = reason == FinishReason.STOP && ids.length > 0 && stopIds.contains(ids[ids.length - 1]);
        int[] spoken = stopped ? Arrays.copyOf(ids, ids.length - 1) : ids;
        int[] tokens = joined(prompt.tokens, ids);
        if (prompt.rendering == null) {
            now = new State(prompt.messages, null, tokens, tokens);
        } else {
            List<JsonObject> messages = new ArrayList<>(prompt.messages);
            messages.add(message("assistant", said));
            // A text that was cut at a stop string is not what its ids say.
            boolean whole = text.decode(spoken).equals(said);
            now = new State(
                    messages,
                    whole ? prompt.rendering + said : prompt.rendering,
                    whole ? joined(prompt.spoken, spoken) : prompt.spoken,
                    tokens);
        }
        asked = null;
    }

    private static List<TextPart> after(int start, List<TextPart> parts) {
        List<TextPart> rest = new ArrayList<>();
        int at = 0;
        for (TextPart part : parts) {
            int end = at + part.text().length();
            if (end > start) {
                rest.add(new TextPart(part.text().substring(Math.max(0, start - at)), part.trusted()));
            }
            at = end;
        }
        return rest;
    }

    private static int[] joined(int[] first, int[] second) {
        int[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
