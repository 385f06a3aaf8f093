package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hotrow.allocator.AllocatorTest.hybrid;
import static org.hotrow.allocator.AllocatorTest.open;
import static org.hotrow.allocator.AllocatorTest.step;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows between steps, in the last page of a request, and steps without requests. */
class AdvanceTest {
    @Test
    void aRequestAdvancesInItsLastPageOnly() {
        Allocator allocator = hybrid(16, 60);
        KvRequest request = open(allocator, 62, 1);
        assertThat(request.reserved()).as("not seated").isZero();
        step(allocator, request, 1000);
        assertThat(request.reserved()).isEqualTo(2);
        assertThatThrownBy(() -> allocator.advance(request, 1)).hasMessageContaining("expected 1 to 0");
        request.append(7, 8, 9);
        for (int rows : new int[] {0, -1, 3}) {
            assertThatThrownBy(() -> allocator.advance(request, rows))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("expected 1 to 2");
        }
        allocator.advance(request, 2);
        assertThat(request.length()).isEqualTo(64);
        assertThat(request.reserved()).isZero();
        Step next = step(allocator, request, 1);
        assertThat(next.writeBacks()).as("the page that was sealed on the way").hasSize(1);
        allocator.check();
    }

    @Test
    void aPlanIsOfAnEarlierStateAfterAnAdvance() {
        Allocator allocator = hybrid(16, 60);
        KvRequest request = open(allocator, 62, 1);
        step(allocator, request, 1000);
        request.append(7, 8);
        StepPlan plan = (StepPlan) allocator.plan(List.of(new Ask(request, 1, 0)));
        allocator.advance(request, 1);
        assertThatThrownBy(() -> allocator.commit(plan)).hasMessageContaining("earlier state");
    }

    /** Copies that failed are started again by a step that nobody is in. */
    @Test
    void aStepOfNoRequestsCopiesWhatIsBehind() {
        Allocator allocator = hybrid(16, 60);
        KvRequest request = open(allocator, 3 * 64, 1);
        Step first = step(allocator, request, 1000);
        assertThat(first.writeBacks()).hasSize(3);
        first.writeBacks().forEach(copy -> allocator.post(new Completion(copy.copy(), Completion.Kind.FAILED)));
        allocator.drain();
        StepPlan plan = (StepPlan) allocator.plan(List.of());
        assertThat(plan.copiedPages()).isEqualTo(3);
        Step copies = allocator.commit(plan);
        assertThat(copies.parts()).isEmpty();
        assertThat(copies.writeBacks()).hasSize(3);
        allocator.finish(copies);
        allocator.check();
        assertThat(((StepPlan) allocator.plan(List.of())).copiedPages()).isZero();
    }
}
