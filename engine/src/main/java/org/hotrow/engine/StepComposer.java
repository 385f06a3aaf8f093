package org.hotrow.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.PlanResult;
import org.hotrow.allocator.Refusal;
import org.hotrow.allocator.Refusal.Reason;
import org.hotrow.allocator.StepPlan;
import org.jspecify.annotations.Nullable;

/**
 * Decides what the next step computes; changes nothing.
 *
 * <pre>
 * tokens   1 of each request that decodes | chunks of those in prefill, by age | of waiting ones, in their order
 *          at most maxBatchedTokens in all
 *
 * when blocks are short, until the allocator has a plan:
 *          the youngest chunk shrinks, down to a page
 *          then what was asked for last is left out, if more was, and copies are on their way or the youngest wants it
 *          then the youngest request makes room
 * </pre>
 *
 * The oldest request goes on in the end, whatever the others need, so it ends, and the next one is the oldest. A request
 * that made room comes back when another one has ended, or when nothing else runs: before that, it would only take the
 * blocks that it had to give.
 */
final class StepComposer {
    /** What to do next. */
    sealed interface Decision {}

    /**
     * Commit a plan.
     *
     * @param sequences by the plan's order
     * @param complete whether all requests that can run are in it, so that nothing is missed while it goes on
     */
    record Compute(StepPlan plan, List<Sequence> sequences, boolean complete) implements Decision {}

    /** Have a request make room, then decide again. */
    record Preempt(Sequence sequence) implements Decision {}

    /** Nothing can be computed: before a copy is through, or because there is nothing. */
    record Nothing(boolean copying) implements Decision {}

    private final Allocator allocator;
    private final int maxSeqs;
    private final int maxBatchedTokens;

    StepComposer(Allocator allocator, int maxSeqs, int maxBatchedTokens) {
        this.allocator = allocator;
        this.maxSeqs = maxSeqs;
        this.maxBatchedTokens = maxBatchedTokens;
    }

    /**
     * The next thing to do.
     *
     * @param running by age
     * @param waiting in the order of their admission
     * @param endings requests that have ended so far
     */
    Decision decide(List<Sequence> running, Collection<Sequence> waiting, long endings) {
        Attempt attempt = new Attempt(running);
        if (!running.isEmpty()) {
            Decision other = attempt.plan();
            if (other != null) {
                return other;
            }
        }
        attempt.admit(waiting, endings);
        return attempt.decision(waiting.isEmpty());
    }

    /** One step in the making. */
    private final class Attempt {
        private final List<Sequence> running;
        private final List<Sequence> sequences = new ArrayList<>();
        private final List<Ask> asks = new ArrayList<>();
        private int budget = maxBatchedTokens;
        private boolean complete = true;
        private @Nullable StepPlan plan;

        Attempt(List<Sequence> running) {
            this.running = running;
            for (Sequence s : running) {
                if (s.pending() == 1) {
                    add(s);
                }
            }
            for (Sequence s : running) {
                if (s.pending() > 1) {
                    add(s);
                }
            }
        }

        private void add(Sequence s) {
            int tokens = Math.min(s.pending(), budget);
            if (tokens == 0) {
                complete = false;
            } else {
                sequences.add(s);
                asks.add(ask(s, tokens));
                budget -= tokens;
            }
        }

        /** Also asks for the rows to the end of the page, which are there anyway. */
        private static Ask ask(Sequence s, int tokens) {
            int known = s.request().known();
            int rest = Math.min(Math.floorMod(-known, Block.TOKENS), s.maxTokens() - known);
            return new Ask(s.request(), tokens, rest);
        }

        /** Plans what is asked for, or less of it; else what to do before. */
        @Nullable
        Decision plan() {
            while (true) {
                switch (allocator.plan(asks)) {
                    case StepPlan found -> {
                        plan = found;
                        return null;
                    }
                    case Refusal refusal -> {
                        Decision before = reduce(refusal);
                        if (before != null) {
                            return before;
                        }
                    }
                }
            }
        }

        private @Nullable Decision reduce(Refusal refusal) {
            int last = asks.size() - 1;
            int tokens = asks.get(last).tokens();
            boolean copying = refusal.copiesInFlight() > 0;
            Sequence youngest = running.getLast();
            int least = last == 0 ? 1 : Block.TOKENS;
            if (tokens > least) {
                asks.set(last, ask(sequences.get(last), less(tokens, least, refusal)));
                return null;
            }
            if (last > 0 && (copying || (tokens > 1 && sequences.get(last) == youngest))) {
                complete = false;
                asks.removeLast();
                sequences.removeLast();
                return null;
            }
            if (copying) {
                return new Nothing(true);
            }
            if (running.size() == 1) {
                throw new IllegalStateException("the only request can't go on: " + refusal.reason() + ", "
                        + refusal.missing() + " missing, no copy on its way");
            }
            return new Preempt(youngest);
        }

        private static int less(int tokens, int least, Refusal refusal) {
            long without = tokens - (long) refusal.missing() * Block.TOKENS;
            return (int) Math.max(least, Math.min(tokens / 2, without));
        }

        /** Adds waiting requests, in their order, as long as they get seats and blocks. */
        void admit(Collection<Sequence> waiting, long endings) {
            int seats = maxSeqs - running.size();
            for (Sequence s : waiting) {
                boolean returns = s.preemptedAt == Sequence.NEVER || endings > s.preemptedAt || asks.isEmpty();
                if (seats-- == 0 || !returns) {
                    return;
                }
                if (budget == 0) {
                    complete = false;
                    return;
                }
                if (!admit(s)) {
                    return;
                }
            }
        }

        private boolean admit(Sequence s) {
            int tokens = Math.min(s.pending(), budget);
            int least = asks.isEmpty() ? 1 : Block.TOKENS;
            asks.add(ask(s, tokens));
            PlanResult result = allocator.plan(asks);
            while (result instanceof Refusal refusal && refusal.reason() == Reason.BLOCKS && tokens > least) {
                tokens = less(tokens, least, refusal);
                asks.set(asks.size() - 1, ask(s, tokens));
                result = allocator.plan(asks);
            }
            return switch (result) {
                case StepPlan found -> {
                    plan = found;
                    sequences.add(s);
                    // Without what the prefix cache has of them.
                    budget -= found.tokens(asks.size() - 1);
                    yield true;
                }
                case Refusal refusal -> {
                    asks.removeLast();
                    complete &= refusal.reason() != Reason.BLOCKS;
                    yield false;
                }
            };
        }

        Decision decision(boolean nobodyWaits) {
            if (plan != null) {
                return new Compute(plan, sequences, complete);
            }
            boolean copying = allocator.copiesInFlight() > 0;
            if (!nobodyWaits && !copying) {
                throw new IllegalStateException("nobody runs, and the first who waits can't be admitted");
            }
            return new Nothing(!nobodyWaits);
        }
    }
}
