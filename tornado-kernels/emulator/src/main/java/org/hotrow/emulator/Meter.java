package org.hotrow.emulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts what a launch moves.
 *
 * <p>Lanes run one after another. An access waits until all have stopped; then those of a warp that have instruction,
 * occurrence (how often the lane came to the instruction since it last stopped) and part in common are one warp
 * access. Parts: an instruction may touch several elements; neighbours are one part.
 */
final class Meter {
    private static final int WARP = 32;
    private static final int MAX_PART_BYTES = 16;

    private record Key(Traffic traffic, boolean write, int warp, int site, int occurrence, int part) {}

    private final String task;
    private final Sites sites;
    private final Footprint footprint;
    private final List<Traffic> arrays = new ArrayList<>();
    private final List<Traffic> locals = new ArrayList<>();
    private final Map<Key, WarpAccess> waiting = new HashMap<>();
    private final int[][] occurrences;
    private int groups;
    private long barriers;

    private int item;
    private int site;
    private int part;
    private boolean partWrites;
    private Traffic partOf = Traffic.local("", 1, 0);
    private long partFrom;
    private long partTo;

    Meter(String task, Sites sites, Footprint footprint, int groupSize) {
        this.task = task;
        this.sites = sites;
        this.footprint = footprint;
        this.occurrences = new int[groupSize][0];
    }

    /** A device array. */
    Traffic device(String name, Shadow array) {
        Traffic traffic = Traffic.device(name, array.elementBytes(), footprint.of(array));
        arrays.add(traffic);
        return traffic;
    }

    /** A local array; the same one of every group is counted together. */
    Traffic local(String name, int elementBytes, int offset) {
        for (Traffic local : locals) {
            if (local.isOf(name, offset)) {
                return local;
            }
        }
        Traffic traffic = Traffic.local(name, elementBytes, offset);
        locals.add(traffic);
        return traffic;
    }

    void group() {
        groups++;
    }

    void barrier() {
        barriers++;
    }

    void item(int number, int stoppedAt) {
        item = number;
        at(stoppedAt);
    }

    void at(int number) {
        site = number;
        part = -1;
        if (occurrences[item].length <= site) {
            occurrences[item] = Arrays.copyOf(occurrences[item], sites.size());
        }
        occurrences[item][site]++;
    }

    void access(Traffic traffic, int index, boolean read, boolean write) {
        traffic.touch(index, read, write);
        int bytes = traffic.elementBytes();
        long offset = (long) index * bytes;
        boolean neighbour = part >= 0
                && traffic == partOf
                && write == partWrites
                && offset == partTo
                && offset + bytes - partFrom <= MAX_PART_BYTES;
        if (!neighbour) {
            part++;
            partOf = traffic;
            partWrites = write;
            partFrom = offset;
        }
        partTo = offset + bytes;
        waiting.computeIfAbsent(
                        new Key(traffic, write, item / WARP, site, occurrences[item][site], part),
                        key -> new WarpAccess())
                .add(item % WARP, offset, bytes);
    }

    /** All lanes have stopped: what waits is counted. */
    void settle() {
        waiting.forEach((key, access) -> {
            access.sort();
            key.traffic().warpAccess(access);
        });
        waiting.clear();
        for (int[] of : occurrences) {
            Arrays.fill(of, 0);
        }
    }

    TaskMeter result() {
        return new TaskMeter(
                task,
                groups,
                barriers,
                arrays.stream().map(Traffic::device).toList(),
                locals.stream().map(Traffic::local).toList());
    }
}
