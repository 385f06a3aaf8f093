package org.hotrow.modelloader.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A statement as parsed, or a piece of the template's own text. */
sealed interface Statement {
    record Text(TemplateText text) implements Statement {}

    record Print(Expression value) implements Statement {}

    record If(List<Branch> branches, List<Statement> otherwise) implements Statement {}

    record Branch(Expression condition, List<Statement> body) {}

    /**
     * A loop.
     *
     * @param condition items for which it is false are left out; sees the target, not {@code loop}
     * @param otherwise what to do when no item is left
     */
    record For(
            Target target,
            Expression items,
            @Nullable Expression condition,
            boolean recursive,
            Block body,
            Block otherwise,
            int line)
            implements Statement {}

    record Set(Target target, Expression value, int line) implements Statement {}

    /** <code>{% set target | filters %}body{% endset %}</code> */
    record SetBlock(Target target, @Nullable Expression filters, Block body, int line) implements Statement {}

    record Macro(MacroDefinition definition) implements Statement {}

    /** <code>{% call(parameters) call %}body{% endcall %}</code>: the body is the macro {@code caller} of the call. */
    record CallBlock(Expression.Call call, MacroDefinition caller) implements Statement {}

    record FilterBlock(Expression filters, Block body, int line) implements Statement {}

    record With(List<Binding> bindings, Block body) implements Statement {}

    record Binding(Target target, Expression value) {}

    /** A body with names of its own: <code>{% generation %}</code>. */
    record Scoped(Block body) implements Statement {}

    record Break() implements Statement {}

    record Continue() implements Statement {}

    /** Statements with names of their own. */
    record Block(ScopeNames names, List<Statement> statements) {}

    /** What is assigned to. */
    sealed interface Target {}

    record NameTarget(String name) implements Target {}

    /** {@code object.attribute}, where the object must be a namespace. */
    record AttributeTarget(String object, String attribute) implements Target {}

    record TupleTarget(List<Target> targets) implements Target {}

    /** A macro. That it accepts more arguments shows in its body, which then reads {@code varargs} and so on. */
    record MacroDefinition(String name, List<Parameter> parameters, Block body, int line) {}

    record Parameter(String name, @Nullable Expression defaultValue) {}
}
