package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Items that are made when they are taken and can be taken once, such as what {@code map} gives. Who takes some leaves
 * the rest to the next.
 */
final class IteratorValue implements TemplateValue {
    private final Supplier<@Nullable TemplateValue> source;

    /** @param source gives the next item, or null after the last */
    IteratorValue(Supplier<@Nullable TemplateValue> source) {
        this.source = source;
    }

    static IteratorValue of(List<? extends TemplateValue> items) {
        var iterator = items.iterator();
        return new IteratorValue(() -> iterator.hasNext() ? iterator.next() : null);
    }

    /** The next item, or null after the last. */
    @Nullable
    TemplateValue next() {
        return source.get();
    }

    /** Takes all that is left. */
    List<TemplateValue> takeAll(Rendering run) {
        List<TemplateValue> items = new ArrayList<>();
        for (TemplateValue item = next(); item != null; item = next()) {
            run.charge(1);
            items.add(item);
        }
        return items;
    }

    @Override
    public boolean isTrue() {
        return true;
    }

    @Override
    public String typeName() {
        return "generator";
    }
}
