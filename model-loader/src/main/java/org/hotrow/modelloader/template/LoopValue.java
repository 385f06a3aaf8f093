package org.hotrow.modelloader.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The {@code loop} of a for block: where it is among its items. */
final class LoopValue implements TemplateValue {
    /** What a recursive loop does with the items that {@code loop(...)} is given. */
    @FunctionalInterface
    interface Recursion {
        TemplateValue render(TemplateValue items, int depth);
    }

    private final Rendering run;
    private final int depth;
    private final @Nullable Recursion recursion;
    private IteratorValue items;
    private int index0 = -1;
    private @Nullable Integer length;
    private @Nullable TemplateValue before;
    private @Nullable TemplateValue current;
    private @Nullable TemplateValue after;
    private @Nullable List<TemplateValue> lastChanged;

    /**
     * @param length number of items if they have one
     * @param depth 1 for the outermost level of a recursive loop
     */
    LoopValue(Rendering run, IteratorValue items, @Nullable Integer length, int depth, @Nullable Recursion recursion) {
        this.run = run;
        this.items = items;
        this.length = length;
        this.depth = depth;
        this.recursion = recursion;
    }

    /** Goes to the next item, which is given, or null after the last. */
    @Nullable
    TemplateValue next() {
        TemplateValue item = after == null ? items.next() : after;
        after = null;
        if (item != null) {
            index0++;
            before = current;
            current = item;
        }
        return item;
    }

    int length() {
        if (length == null) {
            List<? extends TemplateValue> rest = items.takeAll();
            items = IteratorValue.of(run, rest);
            length = index0 + 1 + (after == null ? 0 : 1) + rest.size();
        }
        return length;
    }

    TemplateValue recurse(Arguments arguments) {
        if (recursion == null) {
            throw run.runtime("loop() needs a loop marked 'recursive'");
        }
        BoundArguments bound = Parameters.of(1, "iterable").bind(run, "loop", arguments);
        return recursion.render(bound.get(0), depth + 1);
    }

    /** The value of {@code loop.name}, or null if there is no such attribute. */
    @Nullable
    TemplateValue attribute(String name) {
        return switch (name) {
            case "index" -> IntValue.of(index0 + 1);
            case "index0" -> IntValue.of(index0);
            case "revindex" -> IntValue.of(length() - index0);
            case "revindex0" -> IntValue.of(length() - index0 - 1);
            case "first" -> BoolValue.of(index0 == 0);
            case "last" -> BoolValue.of(peek() == null);
            case "length" -> IntValue.of(length());
            case "depth" -> IntValue.of(depth);
            case "depth0" -> IntValue.of(depth - 1);
            case "previtem" -> before == null ? UndefinedValue.because("there is no previous item") : before;
            case "nextitem" -> {
                TemplateValue next = peek();
                yield next == null ? UndefinedValue.because("there is no next item") : next;
            }
            case "cycle" -> new CallableValue("cycle", this::cycle);
            case "changed" -> new CallableValue("changed", this::changed);
            default -> null;
        };
    }

    private @Nullable TemplateValue peek() {
        if (after == null) {
            after = items.next();
        }
        return after;
    }

    private TemplateValue cycle(Arguments arguments) {
        List<TemplateValue> values = arguments.positional();
        if (values.isEmpty() || !arguments.named().isEmpty()) {
            throw run.runtime("loop.cycle needs values by position");
        }
        return values.get(index0 % values.size());
    }

    private TemplateValue changed(Arguments arguments) {
        if (!arguments.named().isEmpty()) {
            throw run.runtime("loop.changed needs values by position");
        }
        List<TemplateValue> values = arguments.positional();
        boolean same = lastChanged != null
                && Comparison.equal(run, SequenceValue.tuple(lastChanged), SequenceValue.tuple(values));
        lastChanged = values;
        return BoolValue.of(!same);
    }

    @Override
    public boolean isTrue() {
        return length() > 0;
    }

    @Override
    public String typeName() {
        return "loop";
    }
}
