package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Random and exhaustive histories of the allocator. {@code -Dsimulation.seeds=N} runs N fresh seeds instead of 50. */
class SimulationTest {
    private static final int FIXED_SEEDS = 200;
    private static final int EVENTS = 160;

    @Test
    void fixedSeedsKeepEveryInvariantAndEveryByte() {
        for (int seed = 0; seed < FIXED_SEEDS; seed++) {
            simulate(seed);
        }
    }

    @Test
    void freshSeedsKeepEveryInvariantAndEveryByte() {
        long first = System.nanoTime();
        for (int i = 0; i < Integer.getInteger("simulation.seeds", 50); i++) {
            simulate(first + i);
        }
    }

    /** Faults reach everything that the simulation is there to reach. */
    @Test
    void seedsCoverSpillsHitsAndMisses() {
        long spilled = 0;
        long hit = 0;
        long fromHost = 0;
        long fromHot = 0;
        for (int seed = 0; seed < FIXED_SEEDS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            Simulation simulation = new Simulation(World.draw(random), seed);
            simulation.run(SimEvent.draw(random, EVENTS));
            simulation.finishAll();
            spilled += simulation.allocator.counters().spilledPages();
            hit += simulation.allocator.counters().prefixHitPages();
            fromHost += simulation.device.rowsFromHost;
            fromHot += simulation.device.rowsFromHot;
        }
        assertThat(List.of(spilled, hit, fromHost, fromHot)).allMatch(count -> count > 100);
    }

    private static void simulate(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        World world = World.draw(random);
        List<SimEvent> events = SimEvent.draw(random, EVENTS);
        Throwable failure = failure(world, seed, events, false);
        if (failure != null) {
            throw new AssertionError(report(world, seed, shrink(world, seed, events, false)), failure);
        }
    }

    private static String report(World world, long seed, List<SimEvent> shrunk) {
        return "seed=" + seed + " " + world + "\nreplay: " + SimEvent.print(shrunk);
    }

    private static @Nullable Throwable failure(World world, long seed, List<SimEvent> events, boolean sabotage) {
        try {
            Simulation simulation = new Simulation(world, seed);
            simulation.sabotage = sabotage;
            simulation.run(events);
            simulation.finishAll();
            return null;
        } catch (RuntimeException | AssertionError e) {
            return e;
        }
    }

    /** Drops spans of events, then lowers their numbers, as long as it still fails. */
    private static List<SimEvent> shrink(World world, long seed, List<SimEvent> failing, boolean sabotage) {
        List<SimEvent> events = new ArrayList<>(failing);
        for (int span = events.size() / 2; span > 0; span /= 2) {
            for (int from = 0; from + span <= events.size(); ) {
                List<SimEvent> fewer = new ArrayList<>(events);
                fewer.subList(from, from + span).clear();
                if (failure(world, seed, fewer, sabotage) != null) {
                    events = fewer;
                } else {
                    from += span;
                }
            }
        }
        for (int i = 0; i < events.size(); i++) {
            SimEvent event = events.get(i);
            for (SimEvent lower : List.of(
                    new SimEvent(event.kind(), 0, 0),
                    new SimEvent(event.kind(), 0, event.b()),
                    new SimEvent(event.kind(), event.a(), 0),
                    new SimEvent(event.kind(), event.a() / 2, event.b() / 2))) {
                List<SimEvent> simpler = new ArrayList<>(events);
                simpler.set(i, lower);
                if (failure(world, seed, simpler, sabotage) != null) {
                    events = simpler;
                    break;
                }
            }
        }
        return events;
    }

    /** A host page with one wrong row in three is found, shrunk to a short history, and replayed from its print. */
    @Test
    void wrongBytesAreFoundShrunkAndReplayed() {
        World world = new World(KvPolicy.HYBRID, 12, 4, 64, 20, 2, 4, 0);
        for (long seed = 0; ; seed++) {
            List<SimEvent> events = SimEvent.draw(new SplittableRandom(seed), EVENTS);
            if (failure(world, seed, events, true) == null) {
                continue;
            }
            List<SimEvent> shrunk = shrink(world, seed, events, true);
            assertThat(shrunk).hasSizeLessThan(12);
            List<SimEvent> replayed = SimEvent.parse(SimEvent.print(shrunk));
            assertThat(failure(world, seed, replayed, true)).hasMessageContaining("wrong content");
            assertThat(failure(world, seed, replayed, false)).isNull();
            return;
        }
    }

    /** All histories of up to six events in a pool of three pages and an index block. */
    @Test
    void allShortHistoriesInATinyPool() {
        World world = new World(KvPolicy.HYBRID, 5, 4, 1, 6, 2, 2, 0);
        List<SimEvent> alphabet = List.of(
                new SimEvent(SimEvent.Kind.OPEN, 30, 70),
                new SimEvent(SimEvent.Kind.OPEN_SHARED, 0, 100),
                new SimEvent(SimEvent.Kind.PREFILL, 0, 63),
                new SimEvent(SimEvent.Kind.STEP_ALL, 0, 0),
                new SimEvent(SimEvent.Kind.SETTLE, 0, 0),
                new SimEvent(SimEvent.Kind.PREEMPT, 0, 0),
                new SimEvent(SimEvent.Kind.CLOSE, 0, 0));
        int strings = (int) Math.pow(alphabet.size(), 6);
        for (int string = 0; string < strings; string++) {
            List<SimEvent> events = new ArrayList<>();
            for (int rest = string, i = 0; i < 6; i++, rest /= alphabet.size()) {
                events.add(alphabet.get(rest % alphabet.size()));
            }
            Simulation simulation = new Simulation(world, 1);
            try {
                simulation.run(events);
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(report(world, 1, events), e);
            }
        }
    }
}
