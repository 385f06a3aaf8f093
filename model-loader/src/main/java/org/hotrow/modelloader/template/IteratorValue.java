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
    private final Rendering run;
    private final Supplier<@Nullable TemplateValue> source;

    /**
     * An iterator over what {@code source} makes.
     *
     * @param source gives the next item, or null after the last
     */
    IteratorValue(Rendering run, Supplier<@Nullable TemplateValue> source) {
        this.run = run;
        this.source = source;
    }

    static IteratorValue of(Rendering run, List<? extends TemplateValue> items) {
        var iterator = items.iterator();
        return new IteratorValue(run, () -> iterator.hasNext() ? iterator.next() : null);
    }

    /** The next item, or null after the last. */
    @Nullable
    TemplateValue next() {
        // The source may be an iterator over an iterator over another one, without end.
        run.descend();
        TemplateValue item = source.get();
        run.ascend();
        return item;
    }

    /** Takes all that is left. */
    List<TemplateValue> takeAll() {
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
