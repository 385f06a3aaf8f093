package org.hotrow.bench;

import java.util.List;
import java.util.function.IntUnaryOperator;

/** What one client sends, turn after turn; each prompt contains what was said before, so its cache may be found again. */
record Conversation(List<Turn> turns) {
    /**
     * One request.
     *
     * @param start not before so many seconds after the first turn was sent; nor before the turn before it has ended
     * @param prompt tokens of the prompt
     * @param output tokens that are generated
     * @param ids made-up token by position, of prompt and output: equal where, and only where, the content is
     */
    record Turn(double start, int prompt, int output, IntUnaryOperator ids) {
        /** The prompt. */
        int[] promptIds() {
            int[] tokens = new int[prompt];
            for (int position = 0; position < prompt; position++) {
                tokens[position] = ids.applyAsInt(position);
            }
            return tokens;
        }
    }

    /** The same turns, each sent as soon as the one before has ended. */
    Conversation withoutPauses() {
        return new Conversation(turns.stream()
                .map(turn -> new Turn(0, turn.prompt, turn.output, turn.ids))
                .toList());
    }

    /** The token that stands for the {@code offset}-th of some content; two contents share none that are in sequence. */
    static int token(long content, int offset) {
        // The last step of SplitMix64: neighbours become unrelated.
        long mixed = content * 0x9E37_79B9_7F4A_7C15L + offset;
        mixed = (mixed ^ mixed >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return (int) (mixed >>> 32);
    }
}
