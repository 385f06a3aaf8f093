package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Computes expressions. */
final class Evaluator {
    private final Rendering run;

    Evaluator(Rendering run) {
        this.run = run;
    }

    TemplateValue evaluate(Expression expression, Scope scope) {
        int outerLine = run.enter(expression.line());
        TemplateValue value = compute(expression, scope);
        run.leave(outerLine);
        return value;
    }

    private TemplateValue compute(Expression expression, Scope scope) {
        return switch (expression) {
            case Expression.Literal literal -> literal.value();
            case Expression.Name name -> scope.get(name.name());
            case Expression.ListOf list -> SequenceValue.list(all(list.items(), scope));
            case Expression.TupleOf tuple -> SequenceValue.tuple(all(tuple.items(), scope));
            case Expression.DictOf dict -> dict(dict, scope);
            case Expression.Attribute attribute ->
                Attributes.get(run, evaluate(attribute.object(), scope), attribute.name());
            case Expression.Item item ->
                Attributes.item(run, evaluate(item.object(), scope), evaluate(item.index(), scope));
            case Expression.Slice slice -> slice(slice, scope);
            case Expression.Call call -> call(evaluate(call.callee(), scope), arguments(call.arguments(), scope));
            case Expression.Filter filter -> filter(filter, null, scope);
            case Expression.Test test ->
                Tests.apply(run, test.name(), evaluate(test.input(), scope), arguments(test.arguments(), scope));
            case Expression.Not not ->
                BoolValue.of(!evaluate(not.operand(), scope).isTrue());
            case Expression.And and -> {
                TemplateValue left = evaluate(and.left(), scope);
                yield left.isTrue() ? evaluate(and.right(), scope) : left;
            }
            case Expression.Or or -> {
                TemplateValue left = evaluate(or.left(), scope);
                yield left.isTrue() ? left : evaluate(or.right(), scope);
            }
            case Expression.Sign sign -> Arithmetic.sign(run, sign.negative(), evaluate(sign.operand(), scope));
            case Expression.Arithmetic arithmetic ->
                Arithmetic.apply(
                        run,
                        arithmetic.operator(),
                        evaluate(arithmetic.left(), scope),
                        evaluate(arithmetic.right(), scope));
            case Expression.Concatenation parts -> concatenation(parts, scope);
            case Expression.Comparison comparison -> comparison(comparison, scope);
            case Expression.Conditional conditional -> conditional(conditional, scope);
        };
    }

    /** Applies the filters of a block to its text. */
    TemplateValue filterBlock(Expression filters, TemplateText text, Scope scope) {
        int outerLine = run.enter(filters.line());
        TemplateValue value = filter((Expression.Filter) filters, text, scope);
        run.leave(outerLine);
        return value;
    }

    TemplateValue call(TemplateValue callee, Arguments arguments) {
        return switch (callee) {
            case CallableValue callable -> callable.body().call(arguments);
            case LoopValue loop -> loop.recurse(arguments);
            case UndefinedValue undefined -> throw run.undefined(undefined);
            default -> throw run.runtime("a value of type " + callee.typeName() + " can't be called");
        };
    }

    Arguments arguments(Expression.CallArguments written, Scope scope) {
        List<TemplateValue> positional = all(written.positional(), scope);
        Map<String, TemplateValue> named = new LinkedHashMap<>();
        for (Expression.Named argument : written.named()) {
            named.put(argument.name(), evaluate(argument.value(), scope));
        }
        if (written.spread() != null) {
            positional.addAll(Iteration.items(run, evaluate(written.spread(), scope)));
        }
        if (written.spreadNamed() != null) {
            spreadNamed(evaluate(written.spreadNamed(), scope), named);
        }
        return new Arguments(positional, named);
    }

    private void spreadNamed(TemplateValue value, Map<String, TemplateValue> named) {
        if (!(value instanceof DictValue dict)) {
            throw run.runtime("arguments behind ** must be a mapping, not a value of type " + value.typeName());
        }
        for (DictValue.Entry entry : dict.entries()) {
            if (!(entry.key() instanceof TemplateText name) || named.put(name.chars(), entry.value()) != null) {
                throw run.runtime("arguments behind ** must have names of their own");
            }
        }
    }

    private List<TemplateValue> all(List<Expression> expressions, Scope scope) {
        List<TemplateValue> values = new ArrayList<>(expressions.size());
        for (Expression expression : expressions) {
            values.add(evaluate(expression, scope));
        }
        return values;
    }

    private DictValue dict(Expression.DictOf dict, Scope scope) {
        Map<Object, DictValue.Entry> members = new LinkedHashMap<>();
        for (Expression.Member member : dict.members()) {
            TemplateValue key = evaluate(member.key(), scope);
            DictValue.put(members, HashKey.of(run, key), key, evaluate(member.value(), scope));
        }
        return new DictValue(members);
    }

    private TemplateValue slice(Expression.Slice slice, Scope scope) {
        return Slicing.slice(
                run,
                evaluate(slice.object(), scope),
                evaluateIfGiven(slice.from(), scope),
                evaluateIfGiven(slice.to(), scope),
                evaluateIfGiven(slice.step(), scope));
    }

    private @Nullable TemplateValue evaluateIfGiven(@Nullable Expression expression, Scope scope) {
        return expression == null ? null : evaluate(expression, scope);
    }

    /** The filter and those before it; the first of them works on {@code blockText} if it has no input of its own. */
    private TemplateValue filter(Expression.Filter filter, @Nullable TemplateText blockText, Scope scope) {
        TemplateValue input;
        if (filter.input() instanceof Expression.Filter before && blockText != null) {
            input = filterBlock(before, blockText, scope);
        } else if (filter.input() != null) {
            input = evaluate(filter.input(), scope);
        } else {
            input = Objects.requireNonNull(blockText);
        }
        return Filters.apply(run, filter.name(), input, arguments(filter.arguments(), scope));
    }

    private TemplateText concatenation(Expression.Concatenation concatenation, Scope scope) {
        List<TemplateValue> parts = all(concatenation.parts(), scope);
        TextBuilder text = new TextBuilder(run);
        parts.forEach(part -> text.append(Printing.text(run, part)));
        return text.build();
    }

    private BoolValue comparison(Expression.Comparison comparison, Scope scope) {
        TemplateValue left = evaluate(comparison.first(), scope);
        for (Expression.Compared compared : comparison.rest()) {
            TemplateValue right = evaluate(compared.right(), scope);
            if (!Comparison.holds(run, compared.operator(), left, right)) {
                return BoolValue.FALSE;
            }
            left = right;
        }
        return BoolValue.TRUE;
    }

    private TemplateValue conditional(Expression.Conditional conditional, Scope scope) {
        if (evaluate(conditional.condition(), scope).isTrue()) {
            return evaluate(conditional.then(), scope);
        }
        return conditional.otherwise() == null
                ? UndefinedValue.because("an 'if' expression without 'else' had no value")
                : evaluate(conditional.otherwise(), scope);
    }
}
