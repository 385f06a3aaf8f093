package org.hotrow.modelloader.template;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of one run of a block, on top of those around it. */
final class Scope {
    private final @Nullable Scope outer;
    private final Map<String, TemplateValue> variables = new HashMap<>();

    private Scope(@Nullable Scope outer) {
        this.outer = outer;
    }

    /** The scope of what the template is given and of the functions that every template has. */
    static Scope outermost(Map<String, ? extends TemplateValue> variables) {
        Scope scope = new Scope(null);
        scope.variables.putAll(variables);
        return scope;
    }

    /** A scope within this one, in which {@code names} tells what starts out undefined. */
    Scope within(ScopeNames names) {
        Scope inner = new Scope(this);
        names.initiallyUndefined().forEach(name -> inner.set(name, UndefinedValue.name(name)));
        return inner;
    }

    /** A scope within this one, in which nothing starts out undefined. */
    Scope within() {
        return new Scope(this);
    }

    TemplateValue get(String name) {
        for (Scope scope = this; scope != null; scope = scope.outer) {
            TemplateValue value = scope.variables.get(name);
            if (value != null) {
                return value;
            }
        }
        return UndefinedValue.name(name);
    }

    void set(String name, TemplateValue value) {
        variables.put(name, value);
    }
}
