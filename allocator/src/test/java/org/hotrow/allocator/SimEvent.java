package org.hotrow.allocator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One thing that happens; the numbers choose among what there is, modulo how much there is. */
record SimEvent(Kind kind, int a, int b) {
    enum Kind {
        /** A prompt of its own. */
        OPEN,
        /** A prompt that starts like an earlier one. */
        OPEN_SHARED,
        /** A prompt that starts like an earlier one, with rows of its first tokens from elsewhere. */
        IMPORT,
        /** One token for everybody. */
        STEP_ALL,
        /** A few tokens for one request. */
        STEP_ONE,
        /** A long chunk of a prompt. */
        PREFILL,
        /** Drafts, some of them accepted. */
        SPECULATE,
        /** A step that fails for one request. */
        BROKEN_STEP,
        CLOSE,
        PREEMPT,
        ENQUEUE,
        COMPLETE,
        FAIL,
        /** All copies complete, the last one first. */
        SETTLE,
        /** Plans twice without a commit. */
        PROBE,
        /** A plan that something came between. */
        STALE,
        /** Requests until one is refused. */
        FLOOD
    }

    /** Draws how likely each kind is, then events. */
    static List<SimEvent> draw(RandomGenerator random, int count) {
        List<Kind> urn = new ArrayList<>();
        for (Kind kind : Kind.values()) {
            int likely = switch (kind) {
                case OPEN, STEP_ONE -> 2;
                case PREFILL, SETTLE -> 4;
                default -> 0;
            };
            int weight = random.nextInt(4) == 0 ? 0 : 1 + random.nextInt(12);
            urn.addAll(Collections.nCopies(weight + likely, kind));
        }
        return Stream.generate(() -> urn.get(random.nextInt(urn.size())))
                .limit(count)
                .map(kind -> new SimEvent(kind, random.nextInt(1000), random.nextInt(1000)))
                .toList();
    }

    @Override
    public String toString() {
        return kind + ":" + a + ":" + b;
    }

    static String print(List<SimEvent> events) {
        return events.stream().map(SimEvent::toString).collect(Collectors.joining(" "));
    }

    static List<SimEvent> parse(String printed) {
        return Arrays.stream(printed.split(" ", -1))
                .map(event -> event.split(":", -1))
                .map(parts ->
                        new SimEvent(Kind.valueOf(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2])))
                .toList();
    }
}
