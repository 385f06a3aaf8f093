package org.hotrow.modelloader.template;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names that one scope of a template speaks of, in the order of its text. From them follows what Jinja decides when
 * it compiles: a name that a scope sets before it reads it, outside of any {@code if}, starts out undefined there, even
 * for macros and loops within that run before the assignment and even if the context has a value of that name; unless an
 * enclosing scope speaks of it too.
 */
final class ScopeNames {
    /** What a macro takes only if its body reads it. */
    private static final Set<String> MACRO_EXTRAS = Set.of("caller", "kwargs", "varargs");

    private final @Nullable ScopeNames parent;
    private final Set<String> seen = new HashSet<>();
    private final Set<String> setFirst = new HashSet<>();
    private final Set<String> extrasRead = new HashSet<>();
    private int conditions;
    private Set<String> initiallyUndefined = Set.of();

    ScopeNames(@Nullable ScopeNames parent) {
        this.parent = parent;
    }

    void read(String name) {
        seen.add(name);
        if (MACRO_EXTRAS.contains(name)) {
            for (ScopeNames scope = this; scope != null; scope = scope.parent) {
                scope.extrasRead.add(name);
            }
        }
    }

    void set(String name) {
        if (seen.add(name) && conditions == 0) {
            setFirst.add(name);
        }
    }

    void parameter(String name) {
        seen.add(name);
    }

    /** What follows belongs to an {@code if} of this scope, until {@link #endCondition}. */
    void beginCondition() {
        conditions++;
    }

    void endCondition() {
        conditions--;
    }

    boolean inCondition() {
        return conditions > 0;
    }

    /** Whether this scope or one inside it reads {@code caller}, {@code kwargs} or {@code varargs}. */
    boolean reads(String macroExtra) {
        return extrasRead.contains(macroExtra);
    }

    /** Settles {@link #initiallyUndefined}, once all of the template is parsed. */
    void resolve() {
        Set<String> names = new HashSet<>(setFirst);
        for (ScopeNames outer = parent; outer != null; outer = outer.parent) {
            names.removeAll(outer.seen);
        }
        initiallyUndefined = Set.copyOf(names);
    }

    /** The names that start out undefined. */
    Set<String> initiallyUndefined() {
        return initiallyUndefined;
    }
}
