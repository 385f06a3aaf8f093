package org.hotrow.bench;

import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hotrow.allocator.HotReplacement;

/**
 * Replaces what is needed latest, or never again: the fewest misses that any replacement can have. It has to know all
 * selections before, so it is a yardstick and no policy.
 */
final class Belady implements HotReplacement {
    private static final int NEVER = Integer.MAX_VALUE;

    private final List<int[]> selections;
    /** By step and index in the selection: the next step that selects the same position. */
    private final int[][] next;

    private final int[] positionOf;
    /** By slot: the next step that selects its position; an empty slot is never needed. */
    private final int[] neededAt;

    private int step;

    /** For the selections that will be resolved, in this order. */
    Belady(int slots, List<int[]> selections) {
        this.selections = selections;
        next = new int[selections.size()][];
        Map<Integer, Integer> later = new HashMap<>();
        for (int s = selections.size() - 1; s >= 0; s--) {
            int[] selection = selections.get(s);
            next[s] = new int[selection.length];
            for (int i = 0; i < selection.length; i++) {
                next[s][i] = later.getOrDefault(selection[i], NEVER);
            }
            for (int position : selection) {
                later.put(position, s);
            }
        }
        positionOf = new int[slots];
        neededAt = new int[slots];
        reset();
    }

    @Override
    public void reset() {
        step = 0;
        Arrays.fill(positionOf, -1);
        Arrays.fill(neededAt, NEVER);
    }

    @Override
    public void resolve(BitSet hits, int[] victims, int misses) {
        long[] byNeed = new long[positionOf.length - hits.cardinality()];
        int candidates = 0;
        for (int slot = hits.nextClearBit(0); slot < positionOf.length; slot = hits.nextClearBit(slot + 1)) {
            byNeed[candidates++] = (long) neededAt[slot] << Integer.SIZE | slot;
        }
        Arrays.sort(byNeed);
        for (int m = 0; m < misses; m++) {
            victims[m] = (int) byNeed[candidates - 1 - m];
        }
        note(hits, victims);
        step++;
    }

    /** Hits keep their slots; the others got the victims in the order of the selection. */
    private void note(BitSet hits, int[] victims) {
        Map<Integer, Integer> slotOf = new HashMap<>();
        hits.stream().forEach(slot -> slotOf.put(positionOf[slot], slot));
        int miss = 0;
        int[] selection = selections.get(step);
        for (int i = 0; i < selection.length; i++) {
            if (selection[i] >= 0) {
                Integer slot = slotOf.get(selection[i]);
                if (slot == null) {
                    slot = victims[miss++];
                    slotOf.put(selection[i], slot);
                }
                positionOf[slot] = selection[i];
                neededAt[slot] = next[step][i];
            }
        }
    }
}
