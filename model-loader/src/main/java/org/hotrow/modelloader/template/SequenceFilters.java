package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Filters that take a value apart into items, or put items together. */
final class SequenceFilters {
    static final Map<String, Builtin> ALL = Map.ofEntries(
            Map.entry("batch", Builtin.of(SequenceFilters::batch, 1, "linecount", "fill_with")),
            Map.entry("count", Builtin.of(SequenceFilters::length, 0)),
            Map.entry("first", Builtin.of(SequenceFilters::first, 0)),
            Map.entry("items", Builtin.of(SequenceFilters::items, 0)),
            Map.entry("join", Builtin.of(SequenceFilters::join, 0, "d", "attribute")),
            Map.entry("last", Builtin.of(SequenceFilters::last, 0)),
            Map.entry("length", Builtin.of(SequenceFilters::length, 0)),
            Map.entry("list", Builtin.of(SequenceFilters::list, 0)),
            Map.entry("reverse", Builtin.of(SequenceFilters::reverse, 0)),
            Map.entry("slice", Builtin.of(SequenceFilters::slice, 1, "slices", "fill_with")),
            Map.entry("sum", Builtin.of(SequenceFilters::sum, 0, "attribute", "start")));

    private SequenceFilters() {}

    private static TemplateValue length(Rendering run, TemplateValue value, BoundArguments arguments) {
        Integer length = Iteration.length(run, value);
        if (length == null) {
            throw run.runtime("a value of type " + value.typeName() + " has no length");
        }
        return IntValue.of(length);
    }

    private static TemplateValue first(Rendering run, TemplateValue value, BoundArguments arguments) {
        TemplateValue first = Iteration.iterator(run, value).next();
        return first == null ? UndefinedValue.because("there is no first item") : first;
    }

    private static TemplateValue last(Rendering run, TemplateValue value, BoundArguments arguments) {
        if (value instanceof IteratorValue) {
            throw run.runtime("a generator has no last item; make it a list");
        }
        List<? extends TemplateValue> items = Iteration.items(run, value);
        return items.isEmpty() ? UndefinedValue.because("there is no last item") : items.getLast();
    }

    private static TemplateValue list(Rendering run, TemplateValue value, BoundArguments arguments) {
        return SequenceValue.list(List.copyOf(Iteration.items(run, value)));
    }

    private static TemplateValue items(Rendering run, TemplateValue value, BoundArguments arguments) {
        return switch (value) {
            case UndefinedValue _ -> IteratorValue.of(run, List.of());
            case DictValue dict -> IteratorValue.of(run, Iteration.items(run, new DictView(DictView.Part.ITEMS, dict)));
            default -> throw run.runtime("items needs a mapping, not a value of type " + value.typeName());
        };
    }

    private static TemplateValue join(Rendering run, TemplateValue value, BoundArguments arguments) {
        TemplateText separator = Printing.text(run, arguments.get(0, TemplateText.EMPTY));
        AttributePath path = AttributePath.of(run, arguments.find(1), null);
        TextBuilder joined = new TextBuilder(run);
        boolean first = true;
        for (TemplateValue item : Iteration.items(run, value)) {
            if (!first) {
                joined.append(separator);
            }
            joined.append(Printing.text(run, path.of(run, item)));
            first = false;
        }
        return joined.build();
    }

    private static TemplateValue reverse(Rendering run, TemplateValue value, BoundArguments arguments) {
        List<? extends TemplateValue> backwards =
                List.copyOf(Iteration.items(run, value)).reversed();
        return switch (value) {
            case TemplateText _ -> {
                TextBuilder text = new TextBuilder(run);
                backwards.forEach(character -> text.append(Printing.text(run, character)));
                yield text.build();
            }
            case IteratorValue _ -> SequenceValue.list(backwards);
            default -> IteratorValue.of(run, backwards);
        };
    }

    private static TemplateValue batch(Rendering run, TemplateValue value, BoundArguments arguments) {
        int size = arguments.size(0, 0);
        if (size < 1) {
            throw run.runtime("batch needs a size of at least one");
        }
        List<? extends TemplateValue> items = Iteration.items(run, value);
        List<TemplateValue> batches = new ArrayList<>();
        for (int from = 0; from < items.size(); ) {
            int to = (int) Math.min((long) from + size, items.size());
            List<TemplateValue> batch = new ArrayList<>(items.subList(from, to));
            TemplateValue filling = arguments.findSome(1);
            if (filling != null && batch.size() < size) {
                run.reserveItems(size);
                while (batch.size() < size) {
                    batch.add(filling);
                }
            }
            batches.add(SequenceValue.list(batch));
            from = to;
        }
        return IteratorValue.of(run, batches);
    }

    private static TemplateValue slice(Rendering run, TemplateValue value, BoundArguments arguments) {
        int slices = arguments.size(0, 0);
        if (slices == 0) {
            throw run.runtime("slice needs a number of slices");
        }
        List<? extends TemplateValue> items = Iteration.items(run, value);
        TemplateValue filling = arguments.findSome(1);
        List<TemplateValue> columns = new ArrayList<>(run.reserveItems(Math.max(0, slices)));
        int from = 0;
        for (int i = 0; i < slices; i++) {
            boolean hasExtra = i < items.size() % slices;
            int to = from + items.size() / slices + (hasExtra ? 1 : 0);
            List<TemplateValue> column = new ArrayList<>(items.subList(from, to));
            if (filling != null && !hasExtra) {
                column.add(filling);
            }
            columns.add(SequenceValue.list(column));
            from = to;
        }
        return IteratorValue.of(run, columns);
    }

    private static TemplateValue sum(Rendering run, TemplateValue value, BoundArguments arguments) {
        AttributePath path = AttributePath.of(run, arguments.find(0), null);
        TemplateValue sum = arguments.get(1, IntValue.of(0));
        if (sum instanceof TemplateText) {
            throw run.runtime("sum can't put text together; use join");
        }
        for (TemplateValue item : Iteration.items(run, value)) {
            sum = Arithmetic.apply(run, "+", sum, path.of(run, item));
        }
        return sum;
    }
}
