package org.hotrow.engine;

import java.util.List;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.PlanResult;
import org.hotrow.allocator.Refusal;
import org.hotrow.allocator.Step;
import org.hotrow.allocator.StepPlan;

/** Sessions that take turns on a device: a step computes tokens of one of them, as many as its caller says. */
final class ModelTurns {
    private final ModelDevice device;
    private final Allocator allocator;
    private final Batch batch = new Batch(1);
    private final Drafts noDrafts = new Drafts(0);

    ModelTurns(ModelDevice device) {
        this.device = device;
        allocator = device.cache().allocator();
    }

    ModelDevice device() {
        return device;
    }

    /**
     * Computes at most {@code most} tokens of a session that have no rows; the result says how many.
     *
     * @throws EngineException if the pool has no room beside the other sessions
     */
    int step(ModelSession session, int most) {
        int tokens = Math.min(Math.min(most, device.maxRows()), session.pending());
        return session.request().reserved() >= tokens ? advance(session, tokens) : commit(session, tokens);
    }

    private int advance(ModelSession session, int tokens) {
        batch.start(null);
        batch.add(session.part(), session.request().length(), tokens, noDrafts, 0);
        device.run(batch);
        device.complete(batch);
        allocator.advance(session.request(), tokens);
        return tokens;
    }

    /** Commits a step of as many of the tokens as there is room for now, at least 1. */
    private int commit(ModelSession session, int tokens) {
        KvRequest request = session.request();
        boolean seated = request.residency().isPresent();
        int asked = tokens;
        PlanResult result = allocator.plan(List.of(new Ask(request, asked, 0)));
        while (result instanceof Refusal refusal) {
            if (asked == 1 || refusal.reason() != Refusal.Reason.BLOCKS) {
                throw refused(refusal);
            }
            asked /= 2;
            result = allocator.plan(List.of(new Ask(request, asked, 0)));
        }
        Step step = allocator.commit((StepPlan) result);
        Step.Part part = step.parts().getFirst();
        session.part(part, seated);
        batch.start(step);
        batch.add(part, part.first(), part.tokens(), noDrafts, 0);
        try {
            device.run(batch);
            device.complete(batch);
        } catch (RuntimeException | Error e) {
            allocator.giveUp(step);
            allocator.drain();
            throw e;
        }
        allocator.finish(step);
        allocator.drain();
        return part.tokens();
    }

    private EngineException refused(Refusal refusal) {
        String what = refusal.reason() == Refusal.Reason.SEATS ? " seats" : " blocks";
        return new EngineException("the cache has no room beside the other requests: " + refusal.missing() + what
                + " are missing, and it has " + device.cache().geometry().blocks()
                + " blocks; end another request, or raise --kv-blocks");
    }

    /** The request has no rows any more; it is computed again when it goes on. */
    void preempt(ModelSession session) {
        allocator.preempt(session.request());
    }

    void close(ModelSession session) {
        session.opened().ifPresent(allocator::close);
    }
}
