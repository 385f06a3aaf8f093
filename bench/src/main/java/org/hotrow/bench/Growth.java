package org.hotrow.bench;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * How a cost grows with a size: the exponent of the power of the size that fits best, a straight line through logarithms.
 *
 * @param title what grows, and with what
 * @param axis the size
 * @param expected exponent: 0 if the cost is constant, 1 if it is proportional
 * @param points by size
 */
record Growth(String title, String axis, double expected, List<Point> points) {
    /** A cost in microseconds. */
    record Point(double size, Measured.Interval cost) {}

    /** How far an exponent may be off: what caches and fixed costs do between the smallest and the largest size. */
    static final double TOLERANCE = 0.2;

    private record Law(String title, String benchmark, String size, boolean perSize, double expected) {
        private Optional<Growth> of(List<Measured> all) {
            Predicate<Measured> plain = m -> m.has("lanes", "plain");
            List<Point> points = all.stream()
                    .filter(m -> m.name().equals(benchmark) && m.parameters().containsKey(size))
                    .filter(plain.negate())
                    .map(m -> new Point(m.number(size), cost(m)))
                    .sorted(Comparator.comparingDouble(Point::size))
                    .toList();
            return points.size() < 2
                            || points.getFirst().size() == points.getLast().size()
                    ? Optional.empty()
                    : Optional.of(new Growth(title, size, expected, points));
        }

        private Measured.Interval cost(Measured measured) {
            double by = perSize ? measured.number(size) : 1;
            Measured.Interval time = measured.interval();
            return new Measured.Interval(time.low() / by, time.median() / by, time.high() / by);
        }
    }

    private static final List<Law> LAWS = List.of(
            new Law("attention over 2,048 rows, by context", "SparseAttention attend", "cached", false, 0),
            new Law("index scores and top-2,048, by keys", "IndexScore select", "keys", false, 1),
            new Law("allocator, a page of a request, by its pages", "Allocator request", "pages", true, 0),
            new Law("allocator, a page, by live requests", "AllocatorLive page", "live", false, 0));

    Growth {
        points = List.copyOf(points);
    }

    /** Those that a run has two sizes of. */
    static List<Growth> of(List<Measured> all) {
        return LAWS.stream().flatMap(law -> law.of(all).stream()).toList();
    }

    /** By least squares. */
    double exponent() {
        double x = points.stream().mapToDouble(p -> Math.log(p.size)).average().orElseThrow();
        double y = points.stream()
                .mapToDouble(p -> Math.log(p.cost.median()))
                .average()
                .orElseThrow();
        double xy = 0;
        double xx = 0;
        for (Point p : points) {
            xy += (Math.log(p.size) - x) * (Math.log(p.cost.median()) - y);
            xx += (Math.log(p.size) - x) * (Math.log(p.size) - x);
        }
        return xy / xx;
    }

    /** What the fit gives. */
    double fitted(double size) {
        double x = points.stream().mapToDouble(p -> Math.log(p.size)).average().orElseThrow();
        double y = points.stream()
                .mapToDouble(p -> Math.log(p.cost.median()))
                .average()
                .orElseThrow();
        return Math.exp(y + exponent() * (Math.log(size) - x));
    }

    boolean asExpected() {
        return Math.abs(exponent() - expected) <= TOLERANCE;
    }

    /** From the first size to the last, as a row of a table. */
    String row() {
        Point first = points.getFirst();
        Point last = points.getLast();
        return String.format(
                Locale.ROOT,
                "| %s | %,.0f: %s us | %,.0f: %s us | %.2f | %.0f | %s |",
                title,
                first.size,
                FloorTable.number(first.cost.median()),
                last.size,
                FloorTable.number(last.cost.median()),
                exponent(),
                expected,
                asExpected() ? "yes" : "**no**");
    }
}
