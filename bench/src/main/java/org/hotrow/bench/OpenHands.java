package org.hotrow.bench;

import java.util.List;
import java.util.stream.IntStream;
import org.hotrow.bench.Conversation.Turn;

/**
 * The workload of {@link Published}: OpenHands sessions padded to 13 turns. The first prompt has 74,160 tokens, each later
 * one what was said so far and 753 more; 220 tokens are generated each time. Conversations share nothing.
 */
final class OpenHands {
    static final int TURNS = 13;
    static final int FIRST_PROMPT = 74_160;
    static final int LATER = 753;
    static final int OUTPUT = 220;

    private OpenHands() {}

    /** Conversations of the published run: 4, 16, 32, 48, 64 when 1, 8, 16, 24, 32 of them go on at once. */
    static List<Conversation> published(int concurrency) {
        return conversations(concurrency == 1 ? 4 : 2 * concurrency);
    }

    /** So many conversations. */
    static List<Conversation> conversations(int count) {
        return IntStream.range(0, count).mapToObj(OpenHands::conversation).toList();
    }

    private static Conversation conversation(int number) {
        return new Conversation(IntStream.range(0, TURNS)
                .mapToObj(turn -> new Turn(
                        0,
                        FIRST_PROMPT + turn * (LATER + OUTPUT),
                        OUTPUT,
                        position -> Conversation.token(number, position)))
                .toList());
    }
}
