package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Filters that compare items: order, extremes, duplicates and groups. Text is compared without case unless asked. */
final class SortFilters {
    static final Map<String, Builtin> ALL = Map.of(
            "dictsort", Builtin.of(SortFilters::dictSort, 0, "case_sensitive", "by", "reverse"),
            "groupby", Builtin.of(SortFilters::groupBy, 1, "attribute", "default", "case_sensitive"),
            "max", Builtin.of((run, value, a) -> extreme(run, value, a, 1), 0, "case_sensitive", "attribute"),
            "min", Builtin.of((run, value, a) -> extreme(run, value, a, -1), 0, "case_sensitive", "attribute"),
            "sort", Builtin.of(SortFilters::sort, 0, "reverse", "case_sensitive", "attribute"),
            "unique", Builtin.of(SortFilters::unique, 0, "case_sensitive", "attribute"));

    /** An item and what it is compared by. */
    private record Keyed(TemplateValue key, TemplateValue item) {}

    private SortFilters() {}

    private static TemplateValue foldCase(Rendering run, TemplateValue value, boolean caseSensitive) {
        return value instanceof TemplateText text && !caseSensitive
                ? CaseMapping.apply(run, text, CaseMapping::lower)
                : value;
    }

    private static List<TemplateValue> sorted(Rendering run, List<Keyed> keyed, boolean reverse) {
        Comparator<Keyed> order = (a, b) -> Comparison.compare(run, a.key(), b.key());
        keyed.sort(reverse ? order.reversed() : order);
        return keyed.stream().map(Keyed::item).toList();
    }

    private static TemplateValue sort(Rendering run, TemplateValue value, BoundArguments arguments) {
        boolean caseSensitive = arguments.isTrue(1, false);
        List<AttributePath> paths = new ArrayList<>();
        if (arguments.find(2) instanceof TemplateText attributes) {
            run.chargeChars(attributes.length());
            for (String attribute : attributes.chars().split(",", -1)) {
                paths.add(AttributePath.of(run, TemplateText.untrusted(attribute), null));
            }
        } else {
            paths.add(AttributePath.of(run, arguments.find(2), null));
        }
        List<Keyed> keyed = new ArrayList<>();
        for (TemplateValue item : Iteration.items(run, value)) {
            List<TemplateValue> keys = new ArrayList<>();
            for (AttributePath path : paths) {
                keys.add(foldCase(run, path.of(run, item), caseSensitive));
            }
            // Jinja compares lists of keys, within which equality is asked before order.
            keyed.add(new Keyed(SequenceValue.list(keys), item));
        }
        return SequenceValue.list(sorted(run, keyed, arguments.isTrue(0, false)));
    }

    private static TemplateValue dictSort(Rendering run, TemplateValue value, BoundArguments arguments) {
        if (value instanceof UndefinedValue undefined) {
            throw run.undefined(undefined);
        }
        if (!(value instanceof DictValue dict)) {
            throw run.runtime("dictsort needs a mapping, not a value of type " + value.typeName());
        }
        String by = arguments.find(1) == null ? "key" : arguments.text(1).chars();
        if (!by.equals("key") && !by.equals("value")) {
            throw run.runtime("dictsort sorts by key or by value");
        }
        run.charge(dict.size());
        List<Keyed> keyed = new ArrayList<>();
        for (DictValue.Entry entry : dict.entries()) {
            TemplateValue key = by.equals("key") ? entry.key() : entry.value();
            keyed.add(new Keyed(foldCase(run, key, arguments.isTrue(0, false)), entry.toTuple()));
        }
        return SequenceValue.list(sorted(run, keyed, arguments.isTrue(2, false)));
    }

    private static List<Keyed> keyed(Rendering run, TemplateValue value, AttributePath path, boolean caseSensitive) {
        List<Keyed> keyed = new ArrayList<>();
        for (TemplateValue item : Iteration.items(run, value)) {
            keyed.add(new Keyed(foldCase(run, path.of(run, item), caseSensitive), item));
        }
        return keyed;
    }

    /** The first of the smallest items (direction -1) or of the largest ones (direction 1). */
    private static TemplateValue extreme(Rendering run, TemplateValue value, BoundArguments arguments, int direction) {
        AttributePath path = AttributePath.of(run, arguments.find(1), null);
        Keyed best = null;
        for (Keyed candidate : keyed(run, value, path, arguments.isTrue(0, false))) {
            if (best == null || Comparison.compare(run, candidate.key(), best.key()) * direction > 0) {
                best = candidate;
            }
        }
        return best == null ? UndefinedValue.because("there is no item to choose") : best.item();
    }

    private static TemplateValue unique(Rendering run, TemplateValue value, BoundArguments arguments) {
        AttributePath path = AttributePath.of(run, arguments.find(1), null);
        Set<Object> seen = new HashSet<>();
        List<TemplateValue> unique = new ArrayList<>();
        for (Keyed candidate : keyed(run, value, path, arguments.isTrue(0, false))) {
            if (seen.add(HashKey.of(run, candidate.key()))) {
                unique.add(candidate.item());
            }
        }
        return IteratorValue.of(run, unique);
    }

    private static TemplateValue groupBy(Rendering run, TemplateValue value, BoundArguments arguments) {
        AttributePath path = AttributePath.of(run, arguments.get(0), arguments.find(1));
        List<Keyed> keyed = keyed(run, value, path, arguments.isTrue(2, false));
        keyed.sort((a, b) -> Comparison.compare(run, a.key(), b.key()));
        List<TemplateValue> groups = new ArrayList<>();
        for (int from = 0; from < keyed.size(); ) {
            int to = from + 1;
            while (to < keyed.size()
                    && Comparison.equal(
                            run, keyed.get(from).key(), keyed.get(to).key())) {
                to++;
            }
            List<TemplateValue> items =
                    keyed.subList(from, to).stream().map(Keyed::item).toList();
            TemplateValue grouper = path.of(run, items.getFirst());
            groups.add(new SequenceValue(SequenceValue.Kind.GROUP, List.of(grouper, SequenceValue.list(items))));
            from = to;
        }
        return SequenceValue.list(groups);
    }
}
