package org.hotrow.bench;

import java.util.List;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.Completion;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.Refusal;
import org.hotrow.allocator.Step;
import org.hotrow.allocator.StepPlan;
import org.hotrow.engine.Batch;
import org.hotrow.engine.StepDevice;

/** An allocator for GLM-5.3, fp8, without the memory: its steps compute nothing and its copies complete at once. */
final class Bookkeeping {
    private static final int TOP_K = 2048;
    private static final int HOT_ROWS = 2 * TOP_K;
    private static final float[] NO_LOGITS = {};

    private final Allocator allocator;

    /**
     * @param blocks of the device, null block included
     * @param hostPages of the host pool
     * @param seats most requests at once
     */
    Bookkeeping(int blocks, int hostPages, int seats) {
        KvGeometry geometry = LayerMap.GLM_5_3.geometry(blocks);
        allocator = new Allocator(
                new AllocatorConfig(geometry, KvPolicy.HYBRID, HOT_ROWS, TOP_K, hostPages, seats, hostPages, 0));
    }

    Allocator allocator() {
        return allocator;
    }

    /** A device for its steps that computes nothing. */
    StepDevice device() {
        return new StepDevice() {
            @Override
            public void run(Batch batch) {
                batch.step().ifPresent(Bookkeeping.this::complete);
            }

            @Override
            public float[] logits() {
                return NO_LOGITS;
            }

            @Override
            public int logitsAt(int i) {
                return 0;
            }
        };
    }

    private void complete(Step step) {
        for (Step.WriteBack copy : step.writeBacks()) {
            allocator.post(new Completion(copy.copy(), Completion.Kind.COMPLETED));
        }
    }

    /** Plans, commits and finishes a step, and takes the news of its copies. */
    Step run(List<Ask> asks) {
        Step step = switch (allocator.plan(asks)) {
            case StepPlan plan -> allocator.commit(plan);
            case Refusal refusal -> throw new IllegalStateException("too small a pool: " + refusal);
        };
        allocator.finish(step);
        complete(step);
        allocator.drain();
        return step;
    }
}
