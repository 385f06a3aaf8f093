package org.hotrow.kernels.tornado;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.hotrow.kernels.HotSlots;
import org.hotrow.kernels.Misses;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.Resolve;
import org.hotrow.kernels.tornado.RowResolver.Loads;
import org.hotrow.kernels.tornado.RowResolver.Shape;
import org.hotrow.kernels.tornado.RowResolver.State;
import org.hotrow.kernels.tornado.RowResolver.Step;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Requests that have lost pages, on the device and beside it on the plain resolver. Every row on the host and each
 * resident one is tagged with seat, layer and position; outputs hold what the last step left.
 */
final class ResolverWorld implements AutoCloseable {
    private static final int POISON = 77;
    private static final float[] ODD = {
        Float.NaN, -Float.NaN, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY, -0f, 0f, 1e-40f, -3e38f, -3e38f, 3e38f
    };

    private final Shape shape;
    private final SplittableRandom random;
    private final IntArray positions;
    private final IntArray request;
    private final IntArray span = new IntArray(2);
    private final IntArray unit = new IntArray(1);
    private final IntArray place = new IntArray(4);
    private final IntArray resetSeat;
    private final IntArray blockTable;
    private final IntArray hostTable;
    private final IntArray hotTable;
    private final IntArray rows;
    private final State state;
    private final Loads loads;
    private final Replacement replacement;
    private final IntArray scores;
    private final IntArray position;
    private final ScoredResolver.Slots slots;
    private final TaggedRows tagged;
    private final Device.Prepared graph;

    private final HotSlots hot;
    private Resolve plain;
    private final Misses misses = new Misses();
    private int deferred;
    private final long[] plainCounters;

    ResolverWorld(Shape shape, int items, long seed) {
        this(shape, items, seed, Replacement.LRU);
    }

    ResolverWorld(Shape shape, int items, long seed, Replacement replacement) {
        this.shape = shape;
        this.replacement = replacement;
        boolean byScore = replacement == Replacement.SCORE;
        scores = new IntArray(byScore ? shape.tokens() * shape.pages() * 64 : 1);
        position = new IntArray(shape.tokens());
        slots = ScoredResolver.Slots.of(shape);
        random = new SplittableRandom(seed);
        positions = new IntArray(shape.tokens() * shape.k());
        request = new IntArray(shape.tokens());
        resetSeat = new IntArray(shape.seats());
        blockTable = new IntArray(shape.seats() * shape.pages());
        hostTable = new IntArray(blockTable.getSize());
        hotTable = new IntArray(shape.seats() * shape.hotBlocks());
        rows = new IntArray(positions.getSize());
        state = State.of(shape);
        loads = Loads.of(shape);
        hot = new HotSlots(shape.seats(), shape.units(), shape.slots(), replacement);
        plainCounters = new long[shape.units() * RowResolver.COUNTERS];
        for (int i = 0; i < blockTable.getSize(); i++) {
            hostTable.set(i, 1 + i * 5 % blockTable.getSize());
            blockTable.set(i, random.nextInt(3) == 0 ? 1 + i : 0);
        }
        for (int i = 0; i < hotTable.getSize(); i++) {
            hotTable.set(i, 1 + blockTable.getSize() + (i * 7 % hotTable.getSize()));
        }
        resetSeat.init(-1);
        int blocks = 1 + blockTable.getSize() + hotTable.getSize();
        // A context of a million positions is resolved only.
        tagged = new TaggedRows(blocks, blocks > 1000 ? 0 : 1 + blockTable.getSize());
        tagged.write(shape.pages(), hostTable, blockTable);
        plain = plainResolver();
        graph = prepare(items);
    }

    private Resolve plainResolver() {
        return new Resolve(
                hot,
                blockTable.toHeapArray(),
                hostTable.toHeapArray(),
                shape.pages(),
                hotTable.toHeapArray(),
                shape.hotBlocks());
    }

    private Device.Prepared prepare(int items) {
        Step step = new Step(request, span, blockTable, hostTable, hotTable);
        List<TornadoNativeArray> arrays = new ArrayList<>(List.of(tagged.host()));
        arrays.addAll(List.of(positions, request, span, unit, place, resetSeat, blockTable, hostTable, hotTable));
        arrays.addAll(List.of(state.positionOf(), state.order(), state.slotOf(), state.scratch(), state.counters()));
        var told = new ScoredResolver.Scores(scores, position, Exponents.table(), shape.pages() * 64);
        if (replacement == Replacement.SCORE) {
            arrays.addAll(List.of(scores, position, told.exponents(), slots.values(), slots.threshold()));
        }
        arrays.addAll(List.of(rows, tagged.slab(), loads.host(), loads.row(), loads.count(), loads.found()));
        return Device.prepare(
                (graph, grids) -> {
                    RowResolver.appendReset(graph, grids, "reset", shape, resetSeat, state);
                    if (replacement == Replacement.LRU) {
                        RowResolver.append(
                                graph, grids, "unit", shape, items, positions, unit, step, state, rows, loads);
                    } else {
                        ScoredResolver.appendReset(graph, grids, "resetValues", shape, resetSeat, slots);
                        ScoredResolver.appendScore(graph, grids, "score", shape, items, told, unit, step, state, slots);
                        ScoredResolver.append(
                                graph, grids, "unit", shape, items, positions, unit, step, state, slots, rows, loads);
                    }
                    tagged.appendGathers(graph, grids, loads, place);
                },
                arrays.toArray(new TornadoNativeArray[0]));
    }

    /** Requests in any order with one to three tokens each, now and then one that starts anew. */
    void randomStep() {
        int[] seats = new int[shape.tokens()];
        Arrays.fill(seats, -1);
        int first = random.nextInt(shape.seats());
        int token = 0;
        for (int i = 0; i < shape.seats() && token < shape.tokens(); i++) {
            int run = random.nextInt(4);
            for (int t = 0; t < run && token < shape.tokens(); t++) {
                seats[token++] = (first + i) % shape.seats();
            }
        }
        resetSeat.init(-1);
        if (random.nextInt(8) == 0) {
            int seat = random.nextInt(shape.seats());
            resetSeat.set(shape.seats() - 1, seat);
            hot.reset(seat);
        }
        step(seats);
    }

    /** A step of tokens of these seats, -1 for padding, each with a selection near those of its neighbours. */
    void step(int[] seats) {
        span(0, shape.tokens());
        int around = random.nextInt(shape.pages() * 64);
        for (int token = 0; token < shape.tokens(); token++) {
            request.set(token, seats[token]);
            TreeSet<Integer> selection = new TreeSet<>();
            int length = random.nextInt(4) == 0 ? random.nextInt(shape.k() + 1) : shape.k();
            while (selection.size() < length) {
                int near = around + random.nextInt(3 * shape.k()) - shape.k();
                selection.add(Math.clamp(near, 0, shape.pages() * 64 - 1) / 2 * 2 + random.nextInt(2));
            }
            select(token, selection.stream().mapToInt(position -> position).toArray());
        }
        unit.set(0, random.nextInt(shape.units()));
        if (replacement == Replacement.SCORE) {
            score();
        }
        for (int i = 0; i < 4; i++) {
            place.set(i, new int[] {2 * unit.get(0), TaggedRows.LAYERS, 2 * unit.get(0), 2}[i]);
        }
    }

    /** Few different scores, so that some are equal, and odd ones; what a token may not see has a NaN. */
    private void score() {
        int most = shape.pages() * 64;
        for (int token = 0; token < shape.tokens(); token++) {
            position.set(token, random.nextInt(6) == 0 ? random.nextInt(2 * shape.k()) : most - 1 - random.nextInt(70));
            for (int p = 0; p < most; p++) {
                float score = random.nextInt(9) == 0 ? ODD[random.nextInt(ODD.length)] : random.nextInt(40) / 8f - 2;
                boolean seen = p <= position.get(token) && position.get(token) >= shape.k();
                scores.set(token * most + p, seen ? Float.floatToRawIntBits(score) : 0x7FC00001);
            }
        }
    }

    /** On the plain resolver: of the first token in the span, if it has any. */
    private void tell(int token) {
        int count = position.get(token) + 1;
        if (replacement == Replacement.SCORE
                && count > shape.k()
                && hotTable.get(request.get(token) * shape.hotBlocks()) != 0) {
            float[] told = new float[count];
            for (int p = 0; p < count; p++) {
                told[p] = Float.intBitsToFloat(scores.get(token * shape.pages() * 64 + p));
            }
            hot.score(request.get(token), unit.get(0), told, 0, count);
        }
    }

    void select(int token, int... selection) {
        for (int i = 0; i < shape.k(); i++) {
            positions.set(token * shape.k() + i, i < selection.length ? selection[i] : -1);
        }
    }

    void sameSelection(int from, int to) {
        for (int i = from * shape.k(); i < to * shape.k(); i++) {
            positions.set(i, 3 * (i % shape.k()));
        }
    }

    /** The first token selects positions 0, 2, 4, .. */
    void everySecondPosition(int count) {
        for (int i = 0; i < shape.k(); i++) {
            positions.set(i, i < count ? 2 * i : -1);
        }
    }

    void span(int from, int to) {
        span.set(0, from);
        span.set(1, to);
    }

    void loseEverything() {
        blockTable.init(0);
        plain = plainResolver();
    }

    void takeHotRegion(int seat) {
        for (int i = 0; i < shape.hotBlocks(); i++) {
            hotTable.set(seat * shape.hotBlocks() + i, 0);
        }
    }

    void forgetHostPage(int seat, int page) {
        hostTable.set(seat * shape.pages() + page, 0);
    }

    /** On the device alone. */
    void resolve() {
        loads.count().init(POISON);
        loads.found().init(POISON);
        graph.run();
    }

    void resolveAndCheck() {
        int[] expected = rows.toHeapArray();
        resolve();
        Arrays.fill(expected, span.get(0) * shape.k(), span.get(1) * shape.k(), -1);
        misses.clear();
        deferred = 0;
        for (int token = span.get(0); token < span.get(1); token++) {
            int seat = request.get(token);
            boolean first = token == span.get(0) || request.get(token - 1) != seat;
            if (seat >= 0 && first) {
                int run = run(token);
                tell(token);
                int fitting = plain.fitting(seat, positions.toHeapArray(), token * shape.k(), shape.k(), run);
                plain.resolve(
                        seat,
                        unit.get(0),
                        positions.toHeapArray(),
                        token * shape.k(),
                        fitting * shape.k(),
                        expected,
                        token * shape.k(),
                        misses);
                markUndone(token + fitting, token + run, expected);
                assertThat(done(token)).as("tokens done").isEqualTo(fitting);
                deferred += run - fitting;
            }
        }
        plainCounters[unit.get(0) * RowResolver.COUNTERS + RowResolver.LOOKUPS] += misses.lookups();
        plainCounters[unit.get(0) * RowResolver.COUNTERS + RowResolver.LOADS] += misses.count();
        assertThat(rows.toHeapArray()).containsExactly(expected);
        assertLoads();
        assertThat(state.counters().toHeapArray()).containsExactly(plainCounters);
        assertThat(state.slotOf().toHeapArray()).containsOnly(0);
        assertRegions();
        assertTags();
    }

    /** Tokens that wait have the rows of what is resident, and -1. */
    private void markUndone(int from, int to, int[] expected) {
        for (int i = from * shape.k(); i < to * shape.k(); i++) {
            int position = positions.get(i);
            int block = position < 0 ? 0 : blockTable.get(request.get(i / shape.k()) * shape.pages() + position / 64);
            expected[i] = block == 0 ? -1 : block * 64 + position % 64;
        }
    }

    private int run(int token) {
        int end = token + 1;
        while (end < span.get(1) && request.get(end) == request.get(token)) {
            end++;
        }
        return end - token;
    }

    /** Positions, order and values of all regions. */
    private void assertRegions() {
        for (int seat = 0; seat < shape.seats(); seat++) {
            for (int unit = 0; unit < shape.units(); unit++) {
                int region = (seat * shape.units() + unit) * shape.slots();
                for (int i = 0; i < shape.slots(); i++) {
                    assertThat(state.positionOf().get(region + i)).isEqualTo(hot.position(seat, unit, i));
                    assertThat(state.order().get(region + i)).isEqualTo(hot.slot(seat, unit, i));
                    if (replacement == Replacement.SCORE) {
                        assertThat(slots.values().get(region + i))
                                .isEqualTo(Float.floatToRawIntBits(hot.value(seat, unit, i)));
                    }
                }
            }
        }
    }

    private void assertLoads() {
        assertThat(loadCount()).isEqualTo(misses.count());
        for (int m = 0; m < misses.count(); m++) {
            assertThat(loads.host().get(m)).as("host row of load %d", m).isEqualTo(misses.hostRow(m));
            assertThat(loads.row().get(m)).as("row of load %d", m).isEqualTo(misses.row(m));
        }
    }

    private void assertTags() {
        for (int i = span.get(0) * shape.k(); i < span.get(1) * shape.k(); i++) {
            for (int layer = 2 * unit.get(0); layer < 2 * unit.get(0) + 2; layer++) {
                tagged.check(rows.get(i), layer, request.get(i / shape.k()), positions.get(i));
            }
        }
    }

    int[] rows() {
        return rows.toHeapArray();
    }

    int loadCount() {
        return loads.count().get(0);
    }

    int hostRow(int load) {
        return loads.host().get(load);
    }

    int done(int token) {
        return loads.found().get(token * HotResolve.FOUND + HotResolve.DONE);
    }

    int deferred() {
        return deferred;
    }

    long loads() {
        return counted(RowResolver.LOADS);
    }

    long hits() {
        return counted(RowResolver.LOOKUPS) - loads();
    }

    long faults() {
        return counted(RowResolver.FAULTS);
    }

    /** Of all units. */
    private long counted(int counter) {
        long sum = 0;
        for (int unit = 0; unit < shape.units(); unit++) {
            sum += state.counters().get(unit * RowResolver.COUNTERS + counter);
        }
        return sum;
    }

    @Override
    public void close() {
        graph.close();
    }
}
