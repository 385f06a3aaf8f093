package org.hotrow.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.hotrow.allocator.Allocator;
import org.hotrow.bench.Conversation.Turn;
import org.hotrow.engine.Scheduler;
import org.hotrow.engine.Sequence;
import org.hotrow.engine.TokenListener;

/**
 * Has some clients at a time go through conversations, on the real scheduler and the real allocator, over a
 * {@link SimulatedDevice}. A client sends a turn when it has the answer to the one before and its time has come; the
 * scheduler sees it {@link H200Node#FRONT_END} later. When a conversation is over, its client takes the next.
 */
final class Replay {
    /** A turn that is sent; {@code seen} is when the scheduler sees it. */
    private record Sent(Client client, int turn, long at, long seen) {}

    /** Who goes through a conversation, from {@code start} on. */
    private record Client(Conversation conversation, long start) {}

    private final Serving serving;
    private final VirtualClock clock = new VirtualClock();
    private final SimulatedDevice device;
    private final Allocator allocator;
    private final Scheduler scheduler;
    private final Queue<Conversation> waiting;
    private final Queue<Sent> sent = new PriorityQueue<>(Comparator.comparingLong(Sent::seen));
    private final List<TurnTimes> done = new ArrayList<>();
    private double runningSeconds;

    private Replay(Serving serving, List<Conversation> conversations) {
        this.serving = serving;
        waiting = new ArrayDeque<>(conversations);
        allocator = new Allocator(serving.config());
        device = new SimulatedDevice(serving, allocator, clock);
        scheduler = new Scheduler(
                allocator,
                batch -> {
                    double before = clock.seconds();
                    device.run(batch);
                    runningSeconds += running() * (clock.seconds() - before);
                },
                H200Node.MAX_SEQUENCES,
                H200Node.MAX_BATCHED_TOKENS,
                clock);
    }

    /** Plays them all, {@code concurrency} at a time. */
    static ReplayResult play(Serving serving, List<Conversation> conversations, int concurrency) {
        Replay replay = new Replay(serving, conversations);
        for (int client = 0; client < concurrency; client++) {
            replay.nextConversation();
        }
        replay.run();
        return replay.result(concurrency);
    }
}
