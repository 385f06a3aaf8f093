package org.hotrow.allocator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random and exhaustive histories of the allocator. In each event all invariants are checked and all rows are read; at the
 * end every request gets to its end, and nothing may leak.
 *
 * <p>A failure prints its seed, its last events and a shrunk history. {@code mvn -pl allocator test -Dtest=SimulationTest
 * -Dhotrow.simulation.seed=N} runs that seed in place of fresh ones, {@code -Dhotrow.simulation.minutes=60} goes on with
 * fresh seeds for an hour.
 */
class SimulationTest {
    private static final int FIXED_SEEDS = 200;
    private static final int FRESH_SEEDS = 50;
    private static final int EVENTS = 160;
    private static final int LAST_EVENTS = 30;

    /** They reach everything that the simulation is there to reach. */
    @Test
    void fixedSeedsKeepEveryInvariantAndEveryByte() {
        long spilled = 0;
        long hit = 0;
        long fromHost = 0;
        long fromHot = 0;
        long importedToDevice = 0;
        long importedToHost = 0;
        for (int seed = 0; seed < FIXED_SEEDS; seed++) {
            Simulation simulation = simulate(seed);
            spilled += simulation.allocator.counters().spilledPages();
            hit += simulation.allocator.counters().prefixHitPages();
            fromHost += simulation.device.rowsFromHost;
            fromHot += simulation.device.rowsFromHot;
            importedToDevice += simulation.device.pagesImportedToDevice;
            importedToHost += simulation.device.pagesImportedToHost;
        }
        assertThat(List.of(spilled, hit, fromHost, fromHot, importedToDevice, importedToHost))
                .allMatch(count -> count > 100);
    }

    @Test
    void freshSeedsKeepEveryInvariantAndEveryByte() {
        Long only = Long.getLong("hotrow.simulation.seed");
        if (only != null) {
            simulate(only);
            return;
        }
        long first = System.nanoTime();
        long length = TimeUnit.MINUTES.toNanos(Long.getLong("hotrow.simulation.minutes", 0));
        for (int i = 0; i < FRESH_SEEDS || System.nanoTime() - first < length; i++) {
            simulate(first + i);
        }
    }

    private static Simulation simulate(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        World world = World.draw(random);
        List<SimEvent> events = SimEvent.draw(random, EVENTS);
        Simulation simulation = new Simulation(world, seed);
        Throwable failure = failure(simulation, events);
        if (failure != null) {
            throw new AssertionError(report(simulation, events), failure);
        }
        return simulation;
    }

    /** The failed simulation of a seed and its events. */
    private static String report(Simulation failed, List<SimEvent> events) {
        int end = Math.min(failed.events + 1, events.size());
        return "seed=" + failed.seed + " event=" + failed.events + " " + failed.world
                + "\nlast events: " + SimEvent.print(events.subList(Math.max(0, end - LAST_EVENTS), end))
                + "\nshrunk: " + SimEvent.print(shrink(failed.world, failed.seed, events, failed.sabotage));
    }

    private static @Nullable Throwable failure(World world, long seed, List<SimEvent> events, boolean sabotage) {
        Simulation simulation = new Simulation(world, seed);
        simulation.sabotage = sabotage;
        return failure(simulation, events);
    }

    private static @Nullable Throwable failure(Simulation simulation, List<SimEvent> events) {
        try {
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
            Simulation simulation = new Simulation(world, seed);
            simulation.sabotage = true;
            if (failure(simulation, events) == null) {
                continue;
            }
            List<String> report = report(simulation, events).lines().toList();
            assertThat(report.getFirst()).startsWith("seed=" + seed + " event=" + simulation.events);
            assertThat(SimEvent.parse(report.get(1).replace("last events: ", "")))
                    .endsWith(events.get(simulation.events))
                    .hasSizeLessThanOrEqualTo(LAST_EVENTS);
            List<SimEvent> shrunk = SimEvent.parse(report.getLast().replace("shrunk: ", ""));
            assertThat(shrunk).hasSizeLessThan(12);
            assertThat(failure(world, seed, shrunk, true)).hasMessageContaining("wrong content");
            assertThat(failure(world, seed, shrunk, false)).isNull();
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
                simulation.closeAll();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(
                        simulation.world + " event=" + simulation.events + " " + SimEvent.print(events), e);
            }
        }
    }
}
