package org.hotrow.engine;

import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hotrow.modelloader.JsonFields;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.hotrow.modelloader.ModelConfig;

/**
 * One request of a file of requests.
 *
 * <pre>
 * {"id": "a", "session": "s", "arrival_ms": 0, "prompt": "..." | "prompt_ids": [1, 2] | "messages": [{...}],
 *  "max_new_tokens": 16, "temperature": 0, "seed": 1, "ignore_eos": false}       only id and one prompt are needed
 * </pre>
 *
 * @param number of the line, from 1
 * @param id its name in the results
 * @param session whose turn it is, if it is one of several
 * @param arrivalMillis when it comes, after the run has begun
 * @param maxNewTokens most tokens to generate, if the line says so
 * @param ignoreEos goes on after stop ids
 */
record RequestLine(
        int number,
        String id,
        Optional<String> session,
        double arrivalMillis,
        Prompt prompt,
        OptionalInt maxNewTokens,
        OptionalDouble temperature,
        OptionalLong seed,
        Optional<Boolean> ignoreEos) {
    private static final double MAX_ARRIVAL = 1e12;
    private static final double MAX_TEMPERATURE = 1e3;

    /** What a session goes on with. */
    sealed interface Prompt {
        /** All ids after this prompt has been added to a session. */
        int[] tokens(Session session);
    }

    /** A message of the user, or text to go on with if the model has no chat template. */
    record Text(String text) implements Prompt {
        @Override
        public int[] tokens(Session session) {
            return session.promptOfText(text);
        }
    }

    /** Ids, as they are. */
    record Ids(List<Integer> ids) implements Prompt {
        @Override
        public int[] tokens(Session session) {
            return session.promptOfIds(ids.stream().mapToInt(Integer::intValue).toArray());
        }
    }

    /** Messages for the chat template. */
    record Messages(List<JsonObject> messages) implements Prompt {
        @Override
        public int[] tokens(Session session) {
            return session.promptOfMessages(messages);
        }
    }

    /**
     * The request that a line says.
     *
     * @throws org.hotrow.modelloader.ModelFormatException naming the field that is wrong
     */
    static RequestLine of(int number, JsonFields line, ModelConfig model) {
        line.allow(
                "id",
                "session",
                "arrival_ms",
                "prompt",
                "prompt_ids",
                "messages",
                "max_new_tokens",
                "temperature",
                "seed",
                "ignore_eos");
        return new RequestLine(
                number,
                name(line, "id"),
                line.has("session") ? Optional.of(name(line, "session")) : Optional.empty(),
                line.zeroOrMore("arrival_ms", MAX_ARRIVAL, 0),
                prompt(line, model),
                line.has("max_new_tokens")
                        ? OptionalInt.of(line.whole("max_new_tokens", 1, Integer.MAX_VALUE))
                        : OptionalInt.empty(),
                line.has("temperature")
                        ? OptionalDouble.of(line.zeroOrMore("temperature", MAX_TEMPERATURE, 0))
                        : OptionalDouble.empty(),
                line.has("seed") ? OptionalLong.of(line.wholeLong("seed")) : OptionalLong.empty(),
                line.has("ignore_eos") ? Optional.of(line.flag("ignore_eos", false)) : Optional.empty());
    }

    /** A problem with it, by its line. */
    String described(String problem) {
        return "line " + number + ": " + problem;
    }

    private static String name(JsonFields line, String field) {
        String name = line.text(field);
        if (name.isEmpty()) {
            throw line.refusal(field, "a text that is not empty");
        }
        return name;
    }

    private static Prompt prompt(JsonFields line, ModelConfig model) {
        List<String> given = List.of("prompt", "prompt_ids", "messages").stream()
                .filter(line::has)
                .toList();
        if (given.size() != 1) {
            throw line.refusal(given.isEmpty() ? "prompt" : given.getLast(), "one of prompt, prompt_ids and messages");
        }
        return switch (given.getFirst()) {
            case "prompt" -> new Text(line.text("prompt"));
            case "prompt_ids" -> new Ids(List.copyOf(line.wholes("prompt_ids", 0, model.vocabSize() - 1)));
            default -> {
                List<JsonObject> messages = line.children("messages").stream()
                        .map(JsonFields::object)
                        .toList();
                if (messages.isEmpty()) {
                    throw line.refusal("messages", "one message or more");
                }
                yield new Messages(messages);
            }
        };
    }
}
