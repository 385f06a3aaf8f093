package org.hotrow.modelloader.template;

import java.util.List;

/** What {@code items()}, {@code keys()} and {@code values()} of a mapping give. */
record DictView(Part part, DictValue dict) implements TemplateValue {
    enum Part {
        ITEMS("dict_items"),
        KEYS("dict_keys"),
        VALUES("dict_values");

        private final String typeName;

        Part(String typeName) {
            this.typeName = typeName;
        }
    }

    List<TemplateValue> toList() {
        return switch (part) {
            case ITEMS ->
                dict.entries().stream()
                        .<TemplateValue>map(DictValue.Entry::toTuple)
                        .toList();
            case KEYS -> dict.entries().stream().map(DictValue.Entry::key).toList();
            case VALUES -> dict.entries().stream().map(DictValue.Entry::value).toList();
        };
    }

    @Override
    public boolean isTrue() {
        return dict.isTrue();
    }

    @Override
    public String typeName() {
        return part.typeName;
    }
}
