package org.hotrow.bench;

import java.util.List;
import org.hotrow.allocator.Block;

/**
 * Made-up tokens of a recorded session. Recorded are the names of a prompt's full blocks. What comes after them, the rest
 * of the prompt and the output, takes the content that a later turn has there, if all turns up to that one continue what
 * was said: an agent's output is part of its next prompt. Else it is of its own.
 */
final class TraceIds {
    private final int session;
    private final List<TraceTurn> turns;

    TraceIds(int session, List<TraceTurn> turns) {
        this.session = session;
        this.turns = turns;
    }

    /** The token at a position of a turn's prompt and output. */
    int id(int turn, int position) {
        int page = position / Block.TOKENS;
        int last = turn;
        while (page >= turns.get(last).blocks().length
                && last + 1 < turns.size()
                && turns.get(last).continuedBy(turns.get(last + 1))) {
            last++;
        }
        int[] blocks = turns.get(last).blocks();
        boolean named = page < blocks.length;
        // Sessions share nothing, and content without a name belongs to the turn that comes last there.
        long content = (long) session << 33 | (named ? blocks[page] : 1L << 32 | last);
        return Conversation.token(content, named ? position % Block.TOKENS : position);
    }
}
