package org.hotrow.engine;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.Completion.Kind;

/**
 * Computes nothing: the one logit of a row is its position, so that a token that was drawn tells where. Copies are
 * through after a number of batches.
 */
final class FakeDevice implements StepDevice {
    private record Copy(long number, int batch) {}

    private final Allocator allocator;
    private final Queue<Copy> copies = new ArrayDeque<>();
    /** Each batch, as tokens of each of its requests, in order: "1 1 62"; those without a step have a + before. */
    final List<String> batches = new ArrayList<>();

    int copyBatches;
    int failAt = -1;
    /** Whether batches fail once their tokens are drawn. */
    boolean failsToComplete;

    private float[] logits = {};

    FakeDevice(Allocator allocator) {
        this.allocator = allocator;
    }

    @Override
    public void run(Batch batch) {
        int number = batches.size();
        batches.add((batch.step().isPresent() ? "" : "+ ")
                + IntStream.range(0, batch.size())
                        .mapToObj(i -> Integer.toString(batch.count(i)))
                        .collect(Collectors.joining(" ")));
        batch.step().ifPresent(step -> step.writeBacks().forEach(copy -> copies.add(new Copy(copy.copy(), number))));
        if (number == failAt) {
            copies.forEach(copy -> post(copy, Kind.FAILED));
            copies.clear();
            throw new EngineException("the device failed");
        }
        while (!copies.isEmpty() && copies.peek().batch + copyBatches <= number) {
            post(copies.remove(), Kind.COMPLETED);
        }
        logits = new float[batch.size()];
        int wanted = 0;
        for (int i = 0; i < batch.size(); i++) {
            if (batch.wantsLogits(i)) {
                logits[wanted++] = batch.from(i) + batch.count(i) - 1;
            }
        }
    }

    @Override
    public void complete(Batch batch) {
        if (failsToComplete) {
            throw new EngineException("the device failed");
        }
    }

    /** All copies are through now. */
    void complete() {
        while (!copies.isEmpty()) {
            post(copies.remove(), Kind.COMPLETED);
        }
    }

    private void post(Copy copy, Kind kind) {
        allocator.post(new org.hotrow.allocator.Completion(copy.number, kind));
    }

    @Override
    public float[] logits() {
        return logits;
    }

    @Override
    public int logitsAt(int i) {
        return i;
    }
}
