package org.hotrow.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hotrow.allocator.Block;
import org.hotrow.bench.Conversation.Turn;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;

/** One line of a {@link TraceFile}. Whatever is wrong with it is refused by line and field. */
final class TraceLine {
    /** More than any request of the models has. */
    private static final int MAX_TOKENS = 2 << 20;

    private static final JsonFactory JSON = JsonFactory.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Path file;
    private final int line;
    private final int session;

    /** @param session number of the session, which its content is named by */
    TraceLine(Path file, int line, int session) {
        this.file = file;
        this.line = line;
        this.session = session;
    }

    Conversation read(String text) {
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
            expect(json.nextToken(), JsonToken.START_OBJECT, "the line");
            Conversation conversation = conversation(json);
            if (json.nextToken() != null) {
                throw refusal("text after the object");
            }
            return conversation;
        } catch (JacksonException e) {
            throw refusal("not JSON: " + e.getOriginalMessage());
        }
    }

    private Conversation conversation(JsonParser json) {
        List<TraceTurn> turns = new ArrayList<>();
        long blockTokens = -1;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "block_tokens" -> blockTokens = integer(json, field, Block.TOKENS, Block.TOKENS);
                case "turns" -> turns(json, turns);
                default -> json.skipChildren();
            }
        }
        if (blockTokens < 0 || turns.isEmpty()) {
            throw refusal("expected fields block_tokens and turns, with at least one turn");
        }
        return new Conversation(ids(turns));
    }

    private List<Turn> ids(List<TraceTurn> turns) {
        TraceIds ids = new TraceIds(session, turns);
        List<Turn> all = new ArrayList<>();
        for (int i = 0; i < turns.size(); i++) {
            int number = i;
            TraceTurn turn = turns.get(i);
            all.add(new Turn(turn.start(), turn.prompt(), turn.output(), position -> ids.id(number, position)));
        }
        return all;
    }

    private void turns(JsonParser json, List<TraceTurn> turns) {
        expect(json.currentToken(), JsonToken.START_ARRAY, "turns");
        double before = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            TraceTurn turn = turn(json, "turns[" + turns.size() + "].");
            if (turn.start() < before) {
                throw refusal("turns[" + turns.size() + "].t: " + turn.start() + ", expected " + before + " or later");
            }
            before = turn.start();
            turns.add(turn);
        }
    }

    private TraceTurn turn(JsonParser json, String at) {
        expect(json.currentToken(), JsonToken.START_OBJECT, at);
        double start = -1;
        int prompt = 0;
        int output = -1;
        int @Nullable [] blocks = null;
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String field = json.currentName();
            json.nextToken();
            switch (field) {
                case "t" -> start = seconds(json, at + field);
                case "prompt_tokens" -> prompt = integer(json, at + field, 1, MAX_TOKENS);
                case "output_tokens" -> output = integer(json, at + field, 0, MAX_TOKENS);
                case "blocks" -> blocks = blocks(json, at + field);
                default -> json.skipChildren();
            }
        }
        if (start < 0 || prompt == 0 || output < 0 || blocks == null) {
            throw refusal(at + ": expected fields t, prompt_tokens, output_tokens and blocks");
        }
        if (blocks.length != prompt / Block.TOKENS) {
            throw refusal(at + "blocks: " + blocks.length + " blocks, expected " + prompt / Block.TOKENS
                    + ", the full ones of " + prompt + " tokens");
        }
        return new TraceTurn(start, prompt, output, blocks);
    }

    private double seconds(JsonParser json, String field) {
        if (json.currentToken() == null || !json.currentToken().isNumeric()) {
            throw refusal(field + ": expected a number of seconds");
        }
        double seconds = json.getDoubleValue();
        if (!(seconds >= 0 && seconds < 1e9)) {
            throw refusal(field + ": " + seconds + ", expected 0 or more seconds");
        }
        return seconds;
    }

    private int[] blocks(JsonParser json, String field) {
        expect(json.currentToken(), JsonToken.START_ARRAY, field);
        int[] names = new int[MAX_TOKENS / Block.TOKENS];
        int count = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json.currentToken(), JsonToken.START_ARRAY, field);
            json.nextToken();
            int first = integer(json, field, 0, Integer.MAX_VALUE - MAX_TOKENS);
            json.nextToken();
            int more = integer(json, field, 1, names.length - count);
            expect(json.nextToken(), JsonToken.END_ARRAY, field);
            for (int i = 0; i < more; i++) {
                names[count++] = first + i;
            }
        }
        return Arrays.copyOf(names, count);
    }

    private int integer(JsonParser json, String field, int least, int most) {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT) {
            throw refusal(field + ": expected an integer");
        }
        long value;
        try {
            value = json.getLongValue();
        } catch (JacksonException e) {
            throw refusal(field + ": expected " + least + " to " + most);
        }
        if (value < least || value > most) {
            throw refusal(field + ": " + value + ", expected " + least + (least == most ? "" : " to " + most));
        }
        return (int) value;
    }

    private void expect(@Nullable JsonToken found, JsonToken expected, String field) {
        if (found != expected) {
            throw refusal(field + ": expected " + (expected == JsonToken.START_OBJECT ? "an object" : "an array"));
        }
    }

    private TraceException refusal(String problem) {
        return new TraceException(file, line, problem);
    }
}
