package org.hotrow.bench;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import org.hotrow.allocator.Allocator;
import org.hotrow.bench.Conversation.Turn;
import org.hotrow.engine.Draw;
import org.hotrow.engine.Scheduler;
import org.hotrow.engine.Sequence;
import org.hotrow.engine.TokenListener;
import org.jspecify.annotations.Nullable;

/**
 * Has some clients at a time go through conversations, on the real scheduler and the real allocator, over a
 * {@link SimulatedDevice}. A client sends a turn when it has the answer to the one before and its time has come; the
 * scheduler sees it {@link H200Node#FRONT_END} later. When a conversation is over, its client takes the next.
 *
 * <p>With drafts a step of the scheduler gives one of its tokens, which stands for several, so its outputs are shorter. The
 * next prompt brings the rest, which is computed again there: 2 % more prefill in the published workload.
 */
final class Replay {
    private final Serving serving;
    private final VirtualClock clock = new VirtualClock();
    private final Allocator allocator;
    private final SimulatedDevice device;
    private final Scheduler scheduler;
    private final Queue<Conversation> waiting;
    private final Queue<Sent> sent = new PriorityQueue<>(Comparator.comparingLong(turn -> turn.seen));
    private final List<TurnTimes> done = new ArrayList<>();

    private Replay(Serving serving, List<Conversation> conversations) {
        this.serving = serving;
        waiting = new ArrayDeque<>(conversations);
        allocator = new Allocator(serving.config());
        device = new SimulatedDevice(serving, allocator, clock, this::running);
        scheduler = new Scheduler(allocator, device, H200Node.MAX_SEQUENCES, H200Node.MAX_BATCHED_TOKENS, clock);
    }

    private int running() {
        return scheduler.running();
    }

    /** Plays them all, {@code concurrency} at a time. */
    static ReplayResult play(Serving serving, List<Conversation> conversations, int concurrency) {
        Replay replay = new Replay(serving, conversations);
        for (int client = 0; client < concurrency; client++) {
            replay.nextConversation();
        }
        replay.run();
        return new ReplayResult(
                serving,
                concurrency,
                replay.clock.seconds(),
                replay.device.meanRunning(),
                replay.device.hotHitRate(),
                replay.allocator.counters().spilledPages(),
                List.copyOf(replay.done));
    }

    private void nextConversation() {
        @Nullable Conversation next = waiting.poll();
        if (next != null) {
            send(next, 0, clock.getAsLong());
        }
    }

    private void send(Conversation conversation, int number, long start) {
        Turn turn = conversation.turns().get(number);
        long at = Math.max(clock.getAsLong(), start + VirtualClock.nanos(turn.start()));
        sent.add(new Sent(conversation, number, start, at));
    }

    private void run() {
        int live = 0;
        while (live > 0 || !sent.isEmpty()) {
            while (!sent.isEmpty() && sent.peek().seen <= clock.getAsLong()) {
                sent.remove().submit();
                live++;
            }
            int before = done.size();
            switch (scheduler.step()) {
                case STEPPED -> {}
                case WAITING -> waitUntil(Math.min(device.nextCopy(), nextSent()));
                case IDLE -> waitUntil(nextSent());
            }
            device.deliver();
            live -= done.size() - before;
        }
    }

    private void waitUntil(long moment) {
        if (moment == Long.MAX_VALUE) {
            throw new IllegalStateException("nothing is computed, copied or sent, but requests have not ended");
        }
        clock.advanceTo(moment);
    }

    private long nextSent() {
        return sent.isEmpty() ? Long.MAX_VALUE : sent.peek().seen;
    }

    /** A turn from when it is sent; {@code start} is when its conversation's first was. */
    private final class Sent implements TokenListener, Draw {
        private final Conversation conversation;
        private final int number;
        private final long start;
        private final long at;
        final long seen;
        private final Turn turn;
        private final Sequence sequence;
        private int position;

        Sent(Conversation conversation, int number, long start, long at) {
            this.conversation = conversation;
            this.number = number;
            this.start = start;
            this.at = at;
            seen = at + VirtualClock.nanos(H200Node.FRONT_END);
            turn = conversation.turns().get(number);
            position = turn.prompt();
            // The prompt's last row gives a token in any case.
            int steps = 1 + (int) Math.ceil(Math.max(0, turn.output() - 1) / serving.tokensPerStep());
            sequence = new Sequence(turn.promptIds(), turn.prompt() + steps, id -> false, this, this);
        }

        void submit() {
            scheduler.submit(sequence);
        }

        @Override
        public int next(float[] logits, int from) {
            return turn.ids().applyAsInt(position++);
        }

        @Override
        public boolean accept(int id) {
            return true;
        }

        @Override
        public void ended() {
            sequence.failure().ifPresent(failure -> {
                throw new IllegalStateException("turn " + number + ": " + failure.getMessage(), failure);
            });
            done.add(new TurnTimes(
                    at,
                    sequence.firstToken(),
                    sequence.lastToken(),
                    turn.prompt(),
                    turn.output(),
                    sequence.cached(),
                    sequence.preemptions()));
            if (number + 1 < conversation.turns().size()) {
                send(conversation, number + 1, start);
            } else {
                nextConversation();
            }
        }
    }
}
