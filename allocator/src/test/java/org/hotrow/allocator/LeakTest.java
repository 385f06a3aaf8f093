package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.junit.jupiter.api.Test;

class LeakTest {
    private static final int OPERATIONS = 1_000_000;

    private final SplittableRandom random = new SplittableRandom(7);
    private final List<KvRequest> requests = new ArrayList<>();
    private final List<Long> copies = new ArrayList<>();

    /** sglang#30652: the pools are as at first after a million calls, when all requests have ended. */
    @Test
    void aMillionOperationsLeakNothing() {
        World world = new World(KvPolicy.HYBRID, 40, 4, 128, 90, 6, 4, 1);
        Allocator allocator = new Allocator(world.config());
        for (int i = 0; i < OPERATIONS; i++) {
            operate(allocator);
            if (i % 10_000 == 0) {
                allocator.check();
            }
        }
        assertThat(allocator.counters().spilledPages()).isGreaterThan(1000);
        assertThat(allocator.counters().prefixHitPages()).isGreaterThan(1000);
        requests.forEach(allocator::close);
        copies.forEach(copy -> allocator.post(new Completion(copy, Completion.Kind.COMPLETED)));
        allocator.drain();
        allocator.check();
        assertThat(allocator.copiesInFlight()).isZero();
        assertThat(allocator.pool().free()).isEqualTo(world.blocks() - 1);
        assertThat(allocator.state().host.free()).isEqualTo(world.hostPages());
        assertThat(allocator.state().draining).isEmpty();
        assertThat(allocator.state().readers.isEmpty()).isTrue();
    }

    private void operate(Allocator allocator) {
        int which = random.nextInt(100);
        if (requests.size() < 3 || (which < 2 && requests.size() < 12)) {
            int[] prompt = random.ints(1 + random.nextInt(1500), 0, 1).toArray();
            prompt[0] = random.nextInt(5);
            requests.add(allocator.open(prompt, prompt.length + 100));
        } else if (which < 50) {
            step(allocator);
        } else if (which < 94) {
            news(allocator);
        } else if (which < 97) {
            allocator.close(requests.remove(random.nextInt(requests.size())));
        } else {
            allocator.preempt(requests.get(random.nextInt(requests.size())));
        }
    }

    private void step(Allocator allocator) {
        KvRequest request = requests.get(random.nextInt(requests.size()));
        if (request.known() == request.length()) {
            if (request.known() == request.maxLength()) {
                return;
            }
            request.append(1);
        }
        if (allocator.plan(List.of(new Ask(request, 1 + random.nextInt(300), 0))) instanceof StepPlan plan) {
            Step step = allocator.commit(plan);
            step.writeBacks().forEach(copy -> copies.add(copy.copy()));
            int kept = random.nextInt(50) == 0 ? -1 : step.parts().getFirst().tokens();
            allocator.finish(step, IntArrayList.newListWith(kept));
        }
    }

    private void news(Allocator allocator) {
        if (!copies.isEmpty()) {
            int at = random.nextInt(copies.size());
            Completion.Kind kind = random.nextInt(16) == 0
                    ? Completion.Kind.FAILED
                    : random.nextBoolean() ? Completion.Kind.ENQUEUED : Completion.Kind.COMPLETED;
            allocator.post(new Completion(copies.get(at), kind));
            allocator.drain();
            if (kind != Completion.Kind.ENQUEUED) {
                copies.remove(at);
            }
        }
    }
}
