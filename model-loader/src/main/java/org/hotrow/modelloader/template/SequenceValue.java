package org.hotrow.modelloader.template;

import java.util.List;

/** A list or a tuple. A group is the pair that {@code groupby} gives: a tuple whose items have names. */
record SequenceValue(Kind kind, List<TemplateValue> items) implements TemplateValue {
    enum Kind {
        LIST,
        TUPLE,
        GROUP
    }

    /** A list of {@code items}, which from now on must not change. */
    @SuppressWarnings("unchecked") // read only, so a list of a subtype is as good
    static SequenceValue list(List<? extends TemplateValue> items) {
        return new SequenceValue(Kind.LIST, (List<TemplateValue>) items);
    }

    static SequenceValue tuple(List<TemplateValue> items) {
        return new SequenceValue(Kind.TUPLE, items);
    }

    static SequenceValue tuple(TemplateValue... items) {
        return tuple(List.of(items));
    }

    boolean isList() {
        return kind == Kind.LIST;
    }

    @Override
    public boolean isTrue() {
        return !items.isEmpty();
    }

    @Override
    public String typeName() {
        return isList() ? "list" : "tuple";
    }
}
