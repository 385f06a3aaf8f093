package org.hotrow.modelloader.template;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An expression as parsed. */
sealed interface Expression {
    /** The line of the template, from 1. */
    int line();

    record Literal(TemplateValue value, int line) implements Expression {}

    record Name(String name, int line) implements Expression {}

    record ListOf(List<Expression> items, int line) implements Expression {}

    record TupleOf(List<Expression> items, int line) implements Expression {}

    record DictOf(List<Member> members, int line) implements Expression {}

    record Member(Expression key, Expression value) {}

    /** {@code object.name} */
    record Attribute(Expression object, String name, int line) implements Expression {}

    /** {@code object[index]} */
    record Item(Expression object, Expression index, int line) implements Expression {}

    /** {@code object[from:to:step]} */
    record Slice(
            Expression object,
            @Nullable Expression from,
            @Nullable Expression to,
            @Nullable Expression step,
            int line) implements Expression {}

    record Call(Expression callee, CallArguments arguments, int line) implements Expression {}

    /** {@code input | name(arguments)}; without input it is the filter of a block, which gives it its text. */
    record Filter(@Nullable Expression input, String name, CallArguments arguments, int line) implements Expression {}

    /** {@code input is name(arguments)} */
    record Test(Expression input, String name, CallArguments arguments, int line) implements Expression {}

    record Not(Expression operand, int line) implements Expression {}

    record And(Expression left, Expression right, int line) implements Expression {}

    record Or(Expression left, Expression right, int line) implements Expression {}

    /** {@code -operand} or {@code +operand} */
    record Sign(boolean negative, Expression operand, int line) implements Expression {}

    record Arithmetic(String operator, Expression left, Expression right, int line) implements Expression {}

    /** {@code a ~ b ~ c} */
    record Concatenation(List<Expression> parts, int line) implements Expression {}

    /** {@code a < b <= c}: each neighbouring pair, from the left, until one is false. */
    record Comparison(Expression first, List<Compared> rest, int line) implements Expression {}

    /** An operator of a comparison, {@code in} and {@code not in} among them, and its right side. */
    record Compared(String operator, Expression right) {}

    /** {@code then if condition else otherwise} */
    record Conditional(
            Expression condition, Expression then, @Nullable Expression otherwise, int line) implements Expression {}

    /** The arguments of a call as written. */
    record CallArguments(
            List<Expression> positional,
            List<Named> named,
            @Nullable Expression spread,
            @Nullable Expression spreadNamed) {
        static final CallArguments NONE = new CallArguments(List.of(), List.of(), null, null);
    }

    /** {@code name=value} */
    record Named(String name, Expression value) {}
}
