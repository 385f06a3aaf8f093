package org.hotrow.engine;

import java.util.List;
import java.util.Objects;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.PlanResult;
import org.hotrow.allocator.Refusal;
import org.hotrow.allocator.Step;
import org.hotrow.allocator.StepPlan;
import org.jspecify.annotations.Nullable;

/**
 * Sessions that take turns on a device: a step computes tokens of one of them, as many as its caller says. A committed
 * step reserves the rows to the end of its last page, and goes on while its session does.
 */
final class CpuTurns {
    private final CpuDevice device;
    private final Allocator allocator;
    private final Batch batch = new Batch(1);

    /** The committed step and its session. */
    private @Nullable Step step;

    private @Nullable CpuSession owner;

    CpuTurns(CpuDevice device) {
        this.device = device;
        allocator = device.cache().allocator();
    }

    CpuDevice device() {
        return device;
    }

    /**
     * Computes at most {@code most} tokens of a session that have no rows; the result says how many.
     *
     * @throws EngineException if the pool has no room beside the other sessions
     */
    int step(CpuSession session, int most) {
        int tokens = Math.min(Math.min(most, device.maxRows()), session.pending());
        boolean first = step == null || owner != session || session.computed() + tokens > reserved();
        if (first) {
            settle();
            tokens = commit(session, session.request(), tokens);
        }
        batch.start(Objects.requireNonNull(step), first);
        batch.add(part(), session.computed(), tokens);
        try {
            device.run(batch);
        } catch (RuntimeException | Error e) {
            settle();
            throw e;
        }
        session.computed(session.computed() + tokens);
        return tokens;
    }

    private Step.Part part() {
        return Objects.requireNonNull(step).parts().getFirst();
    }

    /** The end of the reserved rows. */
    private int reserved() {
        return part().first() + part().tokens() + part().drafts();
    }

    /** Commits a step of as many of the tokens as there is room for now, at least 1. */
    private int commit(CpuSession session, KvRequest request, int tokens) {
        // Rows to the end of the page are there anyway.
        int rest = Math.floorMod(-request.known(), Block.TOKENS);
        int drafts = Math.min(rest, request.maxLength() - request.known());
        int asked = tokens;
        PlanResult result = allocator.plan(List.of(new Ask(request, asked, drafts)));
        while (result instanceof Refusal refusal) {
            if (asked == 1 || refusal.reason() != Refusal.Reason.BLOCKS) {
                throw refused(refusal);
            }
            asked /= 2;
            result = allocator.plan(List.of(new Ask(request, asked, drafts)));
        }
        step = allocator.commit((StepPlan) result);
        owner = session;
        if (session.computed() == 0) {
            session.found(part().first());
        }
        return part().tokens();
    }

    private EngineException refused(Refusal refusal) {
        String what = refusal.reason() == Refusal.Reason.SEATS ? " seats" : " blocks";
        return new EngineException("the cache has no room beside the other requests: " + refusal.missing() + what
                + " are missing, and it has " + device.cache().geometry().blocks()
                + " blocks; end another request, or raise --kv-blocks");
    }

    /** Ends the committed step with the rows that are computed. */
    private void settle() {
        if (step != null) {
            CpuSession session = Objects.requireNonNull(owner);
            int rows = session.computed() - part().first();
            // Without any the request gives up all it has.
            allocator.finish(step, IntArrayList.newListWith(rows == 0 ? -1 : rows));
            if (rows == 0) {
                session.computed(0);
            }
            allocator.drain();
            step = null;
            owner = null;
        }
    }

    /** The request has no rows any more; it is computed again when it goes on. */
    void preempt(CpuSession session) {
        settle();
        allocator.preempt(session.request());
        session.computed(0);
    }

    void close(CpuSession session) {
        settle();
        session.opened().ifPresent(allocator::close);
    }
}
