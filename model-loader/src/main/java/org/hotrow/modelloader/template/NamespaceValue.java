package org.hotrow.modelloader.template;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What {@code namespace()} makes: the one value whose attributes a template may set. */
final class NamespaceValue implements TemplateValue {
    private final Map<String, TemplateValue> attributes = new HashMap<>();

    @Nullable
    TemplateValue get(String name) {
        return attributes.get(name);
    }

    void set(String name, TemplateValue value) {
        attributes.put(name, value);
    }

    @Override
    public boolean isTrue() {
        return true;
    }

    @Override
    public String typeName() {
        return "namespace";
    }
}
