package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.Ask;
import org.hotrow.allocator.Completion;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.allocator.KvRequest;
import org.hotrow.allocator.PageState;
import org.hotrow.allocator.Step;
import org.hotrow.allocator.StepPlan;
import org.junit.jupiter.api.Test;

/** A request of 40 pages that loses some of them to a second one, step by step. */
class HotReadsTest {
    private static final int HOT_ROWS = 256;
    private static final int PAGES = 40;

    private final Allocator allocator = new Allocator(new AllocatorConfig(
            KvGeometry.of(1, List.of(0), 512, 8, 50), KvPolicy.HYBRID, HOT_ROWS, 64, 200, 4, 100, 0));

    private static int[] tokens(int content, int count) {
        return IntStream.range(0, count)
                .map(position -> Conversation.token(content, position))
                .toArray();
    }

    /** A step of one request, of whose tables and others' the reads hear. */
    private Step.Part step(KvRequest request, int tokens, HotReads others) {
        Step step = allocator.commit((StepPlan) allocator.plan(List.of(new Ask(request, tokens, 0))));
        Step.Part part = step.parts().getFirst();
        step.others().forEach(others::update);
        step.writeBacks().forEach(copy -> allocator.post(new Completion(copy.copy(), Completion.Kind.COMPLETED)));
        allocator.finish(step);
        allocator.drain();
        return part;
    }

    @Test
    void followWhatIsLost() {
        KvRequest request = allocator.open(tokens(1, PAGES * 64), PAGES * 64 + 64);
        HotReads reads = new HotReads(HOT_ROWS);
        reads.update(step(request, PAGES * 64, reads));
        assertThat(reads.read(1)).isZero();

        KvRequest other = allocator.open(tokens(2, 20 * 64), 20 * 64);
        step(other, 20 * 64, reads);
        request.append(7);
        Step.Part part = step(request, 1, reads);
        reads.update(part);
        long lost = IntStream.range(0, part.residency().pages())
                .filter(page -> part.residency().page(page) == PageState.LOST)
                .count();
        assertThat(lost).isBetween(10L, 30L);
        assertThat(reads.lostRows()).isEqualTo(64 * lost);

        double share = (double) lost / part.residency().pages();
        double asked = share * (2048 - 68);
        assertThat(reads.read(1)).isCloseTo(asked, within(1e-6));
        // The region is full now; it serves only a share of the positions, so it is as good as a larger one.
        assertThat(reads.read(2)).isCloseTo(2 * asked * MissCurve.rate(HOT_ROWS / share), within(1e-6));
        assertThat(reads.lookups()).isCloseTo(3 * asked, within(1e-6));
    }
}
