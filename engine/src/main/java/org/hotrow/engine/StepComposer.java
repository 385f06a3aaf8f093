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
 * Decides what the next batch computes; changes nothing.
 *
 * <pre>
 * advancing   1 token of each request that decodes in its last page: the allocator isn't asked
 * asked for   1 token of those that need a new page | chunks of those in prefill, by age | of waiting ones, in order
 *             at most maxBatchedTokens in all, guesses that are verified included
 *
 * when blocks are short, until the allocator has a plan:
 *             room for guesses is given up, and guesses that have no page
 *             the youngest chunk shrinks, down to a page
 *             then what was asked for last is left out, if there is more, and copies are on their way or the youngest
 *             wants it
 *             then the youngest request makes room
 * </pre>
 *
 * A request with guesses asks for its next page as soon as a round, and the guesses of the next, may get there. Guesses
 * never cost another request anything.
 *
 * <p>The oldest request goes on in the end, whatever the others need, so it ends, and the next one is the oldest. A request
 * that made room waits like a new one, in its old place: the allocator admits it when it fits beside the others again, which
 * is when one of them has ended.
 */
final class StepComposer {
    /** What to do next. */
    enum Decision {
        /** A batch of {@link #advancing} and, if there is a {@link #plan}, of {@link #asked}. */
        COMPUTE,
        /** Have {@link #youngest} make room, then decide again. */
        MAKE_ROOM,
        /** Nothing can be computed before a copy is through. */
        WAIT,
        /** There is nothing to do. */
        IDLE
    }

    private final Allocator allocator;
    private final int maxSeqs;
    private final int maxBatchedTokens;
    /** Rows behind the known tokens that a request with guesses should have pages for. */
    private final int ahead;

    // The last decision.
    private List<Sequence> running = List.of();
    private final List<Sequence> advancing = new ArrayList<>();
    private final List<Sequence> chunks = new ArrayList<>();
    private final List<Sequence> asked = new ArrayList<>();
    private final List<Ask> asks = new ArrayList<>();
    private int budget;
    private @Nullable StepPlan plan;

    /** @param drafts most guesses of a request */
    StepComposer(Allocator allocator, int maxSeqs, int maxBatchedTokens, int drafts) {
        ahead = drafts == 0 ? 0 : 2 * drafts + 1;
        this.allocator = allocator;
        this.maxSeqs = maxSeqs;
        this.maxBatchedTokens = maxBatchedTokens;
    }

    /** Requests that decode in their last page. */
    List<Sequence> advancing() {
        return advancing;
    }

    /** The requests of the plan, in its order. */
    List<Sequence> asked() {
        return asked;
    }

    /** To be committed, if anything was asked for. */
    @Nullable
    StepPlan plan() {
        return plan;
    }

    /** The youngest of those that run. */
    Sequence youngest() {
        return running.getLast();
    }

    /**
     * The next thing to do.
     *
     * @param runningByAge those that have seats
     * @param waiting in the order of their admission
     */
    Decision decide(List<Sequence> runningByAge, Collection<Sequence> waiting) {
        running = runningByAge;
        sort();
        Decision before = planRunning();
        if (before != Decision.COMPUTE) {
            return before;
        }
        if (!waiting.isEmpty() && (plan == null || !asks.isEmpty())) {
            admit(waiting);
        }
        if (!nothingElse() || plan != null) {
            return Decision.COMPUTE;
        }
        if (waiting.isEmpty()) {
            return Decision.IDLE;
        }
        if (allocator.copiesInFlight() == 0) {
            throw new IllegalStateException("nobody runs, and the first who waits can't be admitted");
        }
        return Decision.WAIT;
    }

    /** Who decodes, who needs a page for it, and who is in prefill. */
    private void sort() {
        budget = maxBatchedTokens;
        plan = null;
        advancing.clear();
        chunks.clear();
        asked.clear();
        asks.clear();
        for (int i = 0; i < running.size(); i++) {
            Sequence s = running.get(i);
            s.verified = 0;
            if (s.pending() > 1) {
                s.drafts.clear();
                chunks.add(s);
            } else if (s.request().reserved() < 1 + roomAhead(s)) {
                ask(s);
            } else if (budget > 0) {
                advance(s);
            }
        }
        for (int i = 0; i < chunks.size(); i++) {
            ask(chunks.get(i));
        }
    }

    /** The next token and as many guesses as the last page takes. */
    private void advance(Sequence s) {
        advancing.add(s);
        s.verified = Math.min(s.drafts.count(), Math.min(budget, s.request().reserved()) - 1);
        budget -= 1 + s.verified;
    }

    /** Rows behind the next token of a request that it should have pages for. */
    private int roomAhead(Sequence s) {
        return Math.min(ahead, s.maxTokens() - s.request().known());
    }

    private void ask(Sequence s) {
        int tokens = Math.min(s.pending(), budget);
        if (tokens > 0) {
            asked.add(s);
            asks.add(new Ask(s.request(), tokens, s.pending() == 1 ? roomAhead(s) : 0));
            budget -= tokens;
            s.verified = Math.min(s.drafts.count(), budget);
            budget -= s.verified;
        }
    }

    private boolean nothingElse() {
        return advancing.isEmpty() && asks.isEmpty();
    }

    /** Plans what is asked for, or less of it; else what to do before. */
    private Decision planRunning() {
        Decision next = Decision.COMPUTE;
        while (next == Decision.COMPUTE && plan == null && !asks.isEmpty()) {
            switch (allocator.plan(asks)) {
                case StepPlan found -> plan = found;
                case Refusal refusal -> next = reduce(refusal);
            }
        }
        return next;
    }

    /** Gives up the room for guesses of the last request that asks for it, if there is one. */
    private boolean reduceDrafts() {
        int i = asks.size() - 1;
        while (i >= 0 && asks.get(i).drafts() == 0) {
            i--;
        }
        if (i < 0) {
            return false;
        }
        Sequence s = asked.get(i);
        budget += s.verified;
        s.verified = 0;
        if (s.request().reserved() == 0) {
            asks.set(i, new Ask(s.request(), 1, 0));
        } else {
            asks.remove(i);
            asked.remove(i);
            budget++;
            advance(s);
        }
        return true;
    }

    /** Asks for less; or what to do before. */
    private Decision reduce(Refusal refusal) {
        if (reduceDrafts()) {
            return Decision.COMPUTE;
        }
        int last = asks.size() - 1;
        int tokens = asks.get(last).tokens();
        boolean alone = last == 0 && advancing.isEmpty();
        boolean copying = refusal.copiesInFlight() > 0;
        int least = alone ? 1 : Block.TOKENS;
        if (tokens > least) {
            asks.set(last, new Ask(asked.get(last).request(), less(tokens, least, refusal), 0));
            return Decision.COMPUTE;
        }
        if (!alone && (copying || (tokens > 1 && asked.get(last) == youngest()))) {
            asks.removeLast();
            asked.removeLast();
            return Decision.COMPUTE;
        }
        if (copying) {
            return Decision.WAIT;
        }
        if (running.size() == 1 && allocator.plan(List.of()) instanceof StepPlan copies && copies.copiedPages() > 0) {
            // Copies that failed, or that no step had room for, have to come before its pages may leave.
            asks.clear();
            asked.clear();
            plan = copies;
            return Decision.COMPUTE;
        }
        if (running.size() == 1) {
            throw new IllegalStateException("the only request can't go on: " + refusal.reason() + ", "
                    + refusal.missing() + " missing, no copy on its way");
        }
        return Decision.MAKE_ROOM;
    }

    private static int less(int tokens, int least, Refusal refusal) {
        long without = tokens - (long) refusal.missing() * Block.TOKENS;
        return (int) Math.max(least, Math.min(tokens / 2, without));
    }

    /** Adds waiting requests, in their order, as long as they get seats and blocks. */
    private void admit(Collection<Sequence> waiting) {
        int seats = maxSeqs - running.size();
        for (Sequence s : waiting) {
            if (seats-- == 0 || budget == 0 || !admit(s)) {
                return;
            }
        }
    }

    private boolean admit(Sequence s) {
        int tokens = Math.min(s.pending(), budget);
        int least = nothingElse() ? 1 : Block.TOKENS;
        asks.add(new Ask(s.request(), tokens, 0));
        PlanResult result = allocator.plan(asks);
        while (result instanceof Refusal refusal && refusal.reason() == Reason.BLOCKS && tokens > least) {
            tokens = less(tokens, least, refusal);
            asks.set(asks.size() - 1, new Ask(s.request(), tokens, 0));
            result = allocator.plan(asks);
        }
        if (result instanceof StepPlan found) {
            plan = found;
            asked.add(s);
            // Without what the prefix cache has of them.
            budget -= found.tokens(asks.size() - 1);
            return true;
        }
        asks.removeLast();
        return false;
    }
}
