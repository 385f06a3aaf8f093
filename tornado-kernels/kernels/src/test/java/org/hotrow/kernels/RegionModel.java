package org.hotrow.kernels;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/** A hot region of a unit, as sentences say it: the order of its slots, what each holds, and what it was scored. */
final class RegionModel {
    private final List<Integer> order;
    private final Map<Integer, Integer> slotOf = new HashMap<>();
    /** Of the position in each slot since it was loaded; nothing is scored with the least recently used. */
    private final Map<Integer, List<Float>> scores = new HashMap<>();

    RegionModel(int slots) {
        order = new ArrayList<>(IntStream.range(0, slots).boxed().toList());
    }

    /** Slots, those that make room first in front. */
    List<Integer> order() {
        return order;
    }

    void score(float[] all, int count) {
        slotOf.forEach((position, slot) -> {
            if (position < count) {
                Objects.requireNonNull(scores.get(slot)).add(all[position]);
            }
        });
    }

    /** A slot that never held anything is the lowest; what isn't scored yet is the highest. */
    private double value(int slot) {
        float value = scores.containsKey(slot) ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
        for (float score : scores.getOrDefault(slot, List.of())) {
            float known = Float.isNaN(score) ? Float.NEGATIVE_INFINITY : score;
            boolean infinite = Float.isInfinite(value) || Float.isInfinite(known);
            value = infinite ? known : value / 2 + known / 2;
        }
        return value + 0.0;
    }

    /** The slots of positions that are not resident; {@code loads} takes position and slot of each miss. */
    Map<Integer, Integer> resolve(List<Integer> positions, Map<Integer, Integer> loads, boolean byScore) {
        Set<Integer> hits = new LinkedHashSet<>();
        Set<Integer> missing = new LinkedHashSet<>();
        for (int position : positions) {
            if (slotOf.containsKey(position)) {
                hits.add(slotOf.get(position));
            } else {
                missing.add(position);
            }
        }
        List<Integer> stale = new ArrayList<>(order);
        stale.removeAll(hits);
        List<Integer> recent = new ArrayList<>(order);
        recent.retainAll(hits);
        List<Integer> byValue = new ArrayList<>(stale);
        if (byScore) {
            byValue.sort(Comparator.comparingDouble(this::value));
        }
        List<Integer> victims = new ArrayList<>(stale);
        victims.retainAll(byValue.subList(0, missing.size()));
        victims.forEach(slot -> scores.put(slot, new ArrayList<>()));
        stale.removeAll(victims);
        slotOf.values().removeAll(victims);
        int m = 0;
        for (int position : missing) {
            slotOf.put(position, victims.get(m));
            loads.put(position, victims.get(m++));
        }
        order.clear();
        order.addAll(stale);
        order.addAll(victims);
        order.addAll(recent);
        return slotOf;
    }
}
