package org.hotrow.modelloader.template;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The variables of one run of a block, on top of those around it. */
final class Scope {
    /** Scopes that a look-up passes in the time of one step. */
    private static final int SCOPES_PER_STEP = 16;

    private final Rendering run;
    private final @Nullable Scope outer;
    private final int depth;
    private final Map<String, TemplateValue> variables = new HashMap<>();

    private Scope(Rendering run, @Nullable Scope outer, int depth) {
        this.run = run;
        this.outer = outer;
        this.depth = depth;
    }

    /** A scope that is within no other. */
    static Scope outermost(Rendering run, Map<String, ? extends TemplateValue> variables) {
        Scope scope = new Scope(run, null, 0);
        scope.variables.putAll(variables);
        return scope;
    }

    /** A scope within this one, in which {@code names} tells what starts out undefined. */
    Scope within(ScopeNames names) {
        Scope inner = within();
        run.charge(names.initiallyUndefined().size());
        names.initiallyUndefined().forEach(name -> inner.set(name, UndefinedValue.name(name)));
        return inner;
    }

    /** A scope within this one, in which nothing starts out undefined. */
    Scope within() {
        return new Scope(run, this, depth + 1);
    }

    TemplateValue get(String name) {
        run.charge(depth / SCOPES_PER_STEP);
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
