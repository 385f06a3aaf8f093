package org.hotrow.modelloader.template;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** {@code map}, {@code select} and their kin: they apply another filter or test, named in an argument, to each item. */
final class SelectFilters {
    static final Map<String, Builtin> ALL = Map.of(
            "map", Builtin.variadic((run, value, a) -> map(run, value, a.all())),
            "reject", Builtin.variadic((run, value, a) -> select(run, value, a.all(), false, false)),
            "rejectattr", Builtin.variadic((run, value, a) -> select(run, value, a.all(), true, false)),
            "select", Builtin.variadic((run, value, a) -> select(run, value, a.all(), false, true)),
            "selectattr", Builtin.variadic((run, value, a) -> select(run, value, a.all(), true, true)));

    private interface Step {
        TemplateValue apply(TemplateValue item);
    }

    private SelectFilters() {}

    private static TemplateValue map(Rendering run, TemplateValue value, Arguments arguments) {
        if (!value.isTrue()) {
            return IteratorValue.of(run, List.of());
        }
        Step step = step(run, arguments);
        IteratorValue items = Iteration.iterator(run, value);
        return new IteratorValue(run, () -> {
            TemplateValue item = items.next();
            return item == null ? null : step.apply(item);
        });
    }

    private static Step step(Rendering run, Arguments arguments) {
        if (arguments.positional().isEmpty() && arguments.named().containsKey("attribute")) {
            BoundArguments bound = Parameters.of(1, "attribute", "default").bind(run, "map", arguments);
            AttributePath path = AttributePath.of(run, bound.get(0), bound.find(1));
            return item -> path.of(run, item);
        }
        String name = name(run, "map", arguments, 0);
        Arguments rest = arguments.from(1);
        return item -> Filters.apply(run, name, item, rest);
    }

    private static String name(Rendering run, String callee, Arguments arguments, int index) {
        if (index < arguments.positional().size() && arguments.positional().get(index) instanceof TemplateText name) {
            return name.chars();
        }
        throw run.runtime(callee + " needs the name of a filter or test");
    }

    private static TemplateValue select(
            Rendering run, TemplateValue value, Arguments arguments, boolean byAttribute, boolean wanted) {
        if (!value.isTrue()) {
            return IteratorValue.of(run, List.of());
        }
        Predicate<TemplateValue> test = test(run, arguments, byAttribute);
        IteratorValue items = Iteration.iterator(run, value);
        return new IteratorValue(run, () -> {
            for (TemplateValue item = items.next(); item != null; item = items.next()) {
                run.charge(1);
                if (test.test(item) == wanted) {
                    return item;
                }
            }
            return null;
        });
    }

    private static Predicate<TemplateValue> test(Rendering run, Arguments arguments, boolean byAttribute) {
        if (byAttribute && arguments.positional().isEmpty()) {
            throw run.runtime("the name of an attribute is missing");
        }
        int index = byAttribute ? 1 : 0;
        AttributePath path =
                AttributePath.of(run, byAttribute ? arguments.positional().getFirst() : null, null);
        if (index == arguments.positional().size()) {
            return item -> path.of(run, item).isTrue();
        }
        String name = name(run, "select", arguments, index);
        Arguments rest = arguments.from(index + 1);
        return item -> Tests.apply(run, name, path.of(run, item), rest).isTrue();
    }
}
