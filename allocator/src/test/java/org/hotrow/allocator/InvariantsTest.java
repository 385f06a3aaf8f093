package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of broken state is noticed. */
class InvariantsTest {
    private final Allocator allocator = new Allocator(new World(KvPolicy.HYBRID, 40, 4, 64, 40, 4, 64, 0).config());
    private final KvState state = allocator.state();
    private final Residency full = seated(6 * 64 + 5, Completion.Kind.COMPLETED);
    private final Residency copying = seated(3 * 64, Completion.Kind.ENQUEUED);
    private final Residency failed = seated(2 * 64 + 1, Completion.Kind.FAILED);

    private Residency seated(int length, Completion.Kind news) {
        int[] tokens = new int[length];
        tokens[0] = length;
        KvRequest request = allocator.open(tokens, length + 100);
        Step step = allocator.commit((StepPlan) allocator.plan(List.of(new Ask(request, length, 0))));
        allocator.finish(step, IntArrayList.newListWith(length));
        step.writeBacks().forEach(copy -> allocator.post(new Completion(copy.copy(), news)));
        allocator.drain();
        return request.residency().orElseThrow();
    }

    private static Arguments damage(String name, Consumer<InvariantsTest> damage) {
        return Arguments.of(Named.of(name, damage));
    }

    static Stream<Arguments> damages() {
        return Stream.of(
                damage("length", t -> t.full.length = 10 * 64),
                damage("durable", t -> t.full.durable++),
                damage("unpinned", t -> t.full.unpinned = 1),
                damage("lost page", t -> t.full.blocks.set(2, 0)),
                damage("other block", t -> t.full.blocks.set(2, t.full.blocks.get(3))),
                damage("overwritten page", t -> t.full.generations.set(2, 77)),
                damage("lost host page", t -> t.full.hostPages.set(2, 0)),
                damage("other host page", t -> t.full.hostPages.set(2, t.full.hostPages.get(3))),
                damage("other index block", t -> t.full.indexBlocks.set(0, t.copying.indexBlocks.get(0))),
                damage("hot region of rows", t -> t.full.hotBlocks.add(t.full.blocks.get(0))),
                damage("tables", t -> t.full.tablePages = 99),
                damage("forgotten copy", t -> t.copying.copying.clear(1)),
                damage("never failed", t -> t.failed.failed.clear()),
                damage("next copy", t -> t.copying.nextCopy--),
                damage("claim", t -> t.full.claim = t.full.claim.copied(1)),
                damage("total", t -> t.state.seated.removeLast()),
                damage("small claim", t -> t.state.claim(t.full, new Claim(false, 1, 6, 0))),
                damage("offered", t -> t.state.spillable.clear()),
                damage("behind", t -> t.state.writeAhead.behind(false).clear()),
                damage(
                        "behind without reason",
                        t -> t.state.writeAhead.behind(true).add(t.full)),
                damage("same seat", t -> t.state.seated.add(new Residency(t.full.request, t.full.seat))),
                damage("ended", t -> t.full.ended = true),
                damage("drained", t -> t.state.draining.add(t.full)),
                damage("held block", t -> t.state.pool.hold(t.full.blocks.get(0))),
                damage("taken block", t -> t.state.pool.take(BlockGroup.ROWS)),
                damage("held host page", t -> t.state.host.hold(t.full.hostPages.get(0))),
                damage("taken host page", t -> t.state.host.take()),
                damage("reader", t -> t.state.readers.remove(t.full.blocks.get(0))),
                damage(
                        "other reader",
                        t -> t.state.readers.get(t.full.blocks.get(0)).add(t.copying)),
                damage("unknown copy", t -> t.state.writeAhead.pending.clear()),
                damage("early hash", t -> {
                    int hostPage = t.state.writeAhead.pending.iterator().next().hostPage;
                    t.state.cache.publish(new PageHash(1, 2, 3, 4), hostPage);
                }),
                damage("two writers", t -> {
                    t.state.pool.hold(t.full.indexBlocks.getLast());
                    t.copying.indexBlocks.add(t.full.indexBlocks.getLast());
                }));
    }

    @Test
    void holdBeforeAnyDamage() {
        allocator.check();
    }

    @ParameterizedTest
    @MethodSource("damages")
    void damageIsNoticed(Consumer<InvariantsTest> damage) {
        damage.accept(this);
        assertThatIllegalStateException().isThrownBy(allocator::check).withMessageContaining("invariant");
    }
}
