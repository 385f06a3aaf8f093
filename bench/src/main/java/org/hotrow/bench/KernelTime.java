package org.hotrow.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * What was seen of a kernel at some size: a line of {@code tornado-kernels/bin/time}.
 *
 * @param floorBytes what any kernel must move, link included
 * @param partialBytes partial results beside the floor
 * @param linkBytes of the floor, those that cross the link to the host
 * @param unwrittenWords words that kept their poison, or lost it though nothing belongs there
 * @param sampled values that were compared with the reference
 * @param problem what went wrong, or nothing
 * @param nanos of its executions; none if it wasn't timed
 */
record KernelTime(
        String kernel,
        String at,
        long floorBytes,
        long partialBytes,
        long linkBytes,
        long unwrittenWords,
        long sampled,
        String problem,
        List<Long> nanos) {
    /** Of the device's memory, by its data sheet. */
    static final double MEMORY_BYTES_PER_SECOND = 4.8e12;
    /** Of a PCIe 5.0 link of 16 lanes, one way. */
    static final double LINK_BYTES_PER_SECOND = 64e9;

    /** @throws IllegalArgumentException if the line is none of the program's */
    static KernelTime parse(String line) {
        Map<String, Object> fields = JsonTree.object(line);
        List<Long> nanos = fields.getOrDefault("times_ns", List.of()) instanceof List<?> list
                ? list.stream().map(nano -> (Long) nano).toList()
                : List.of();
        return new KernelTime(
                text(fields, "kernel"),
                text(fields, "at"),
                number(fields, "floor_bytes"),
                number(fields, "partial_bytes"),
                number(fields, "link_bytes"),
                number(fields, "unwritten_words"),
                number(fields, "sampled"),
                text(fields, "problem"),
                nanos);
    }

    private static String text(Map<String, Object> fields, String name) {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(name + " is missing: " + fields);
    }

    private static long number(Map<String, Object> fields, String name) {
        return fields.get(name) instanceof Long number ? number : 0;
    }

    boolean timed() {
        return !nanos.isEmpty();
    }

    boolean right() {
        return problem.isEmpty() && unwrittenWords == 0;
    }

    double medianNanos() {
        return at(0.5);
    }

    /** From the tenth to the ninetieth percentile, as a share of the median. */
    double spread() {
        return (at(0.9) - at(0.1)) / medianNanos();
    }

    private double at(double share) {
        long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalStateException(kernel + " at " + at + " was not timed");
        }
        double place = share * (sorted.length - 1);
        int below = (int) place;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
    }

    /** Nanoseconds that memory and the link need at least; they work side by side. */
    double floorNanos() {
        double memory = (floorBytes - linkBytes) / MEMORY_BYTES_PER_SECOND;
        return 1e9 * Math.max(memory, linkBytes / LINK_BYTES_PER_SECOND);
    }

    /** Bytes of the floor a second: those of the link if any cross it. */
    double bytesPerSecond() {
        return 1e9 * (linkBytes > 0 ? linkBytes : floorBytes) / medianNanos();
    }

    /** All of these that aren't right, by name. */
    static List<String> wrong(List<KernelTime> times) {
        return times.stream()
                .filter(time -> !time.right())
                .map(time -> time.kernel + " (" + time.at + "): "
                        + (time.problem.isEmpty() ? time.unwrittenWords + " words" : time.problem))
                .toList();
    }

    /** Lines of a file of the program. */
    static List<KernelTime> parseAll(String lines) {
        return Arrays.stream(lines.split("\n", -1))
                .filter(line -> line.endsWith("}"))
                .map(KernelTime::parse)
                .toList();
    }
}
