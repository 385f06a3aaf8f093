package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.hotrow.modelloader.template.Expression.CallArguments;
import org.hotrow.modelloader.template.Token.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Parses expressions. From loose to tight: {@code if else}, {@code or}, {@code and}, {@code not}, comparisons,
 * {@code + -}, {@code ~}, {@code * / // %}, {@code **}, signs, and then what stands behind a value: {@code .name},
 * {@code [index]}, {@code (arguments)}, {@code | filter}, {@code is test}. All binary operators group to the left,
 * {@code **} too.
 */
final class ExpressionParser {
    private static final Map<String, Integer> ARITHMETIC =
            Map.of("+", 1, "-", 1, "~", 2, "*", 3, "/", 3, "//", 3, "%", 3, "**", 4);
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");

    private final TokenStream tokens;
    private final OperandParser operands;
    /** Filters and tests that don't exist: an error unless they turn out to stand within a condition. */
    private final List<Token> unknown = new ArrayList<>();

    private ScopeNames names;

    ExpressionParser(TokenStream tokens, ScopeNames names) {
        this.tokens = tokens;
        this.operands = new OperandParser(tokens, this);
        this.names = names;
    }

    /** From now on names belong to {@code scope}; gives the scope they belonged to. */
    ScopeNames enterScope(ScopeNames scope) {
        ScopeNames outer = names;
        names = scope;
        return outer;
    }

    ScopeNames names() {
        return names;
    }

    /** An expression without commas. */
    Expression single() {
        return checked(this::conditional);
    }

    /** An expression; with commas it is a tuple. */
    Expression tupleOrSingle() {
        return checked(this::tuple);
    }

    /** As {@link #tupleOrSingle}, but an {@code if} or {@code recursive} behind it belongs to the tag. */
    Expression tupleOrSingleBeforeIf() {
        return checked(() -> tuple(this::or, t -> t.isName("recursive")));
    }

    /** {@code name(arguments) | name ...} without its input. */
    Expression filters() {
        return checked(() -> {
            Expression filter = filter(null);
            while (tokens.skipOperator("|")) {
                filter = filter(filter);
            }
            return filter;
        });
    }

    private interface Parse {
        Expression parse();
    }

    /** Parses a whole expression; what it names in vain is an error now, or when it is reached if that may never be. */
    private Expression checked(Parse parse) {
        Expression expression = parse.parse();
        if (!unknown.isEmpty() && !names.inCondition()) {
            Token first = unknown.getFirst();
            throw tokens.syntax(first.line(), "unknown filter or test '" + first.text() + "'");
        }
        unknown.clear();
        return expression;
    }

    /** An expression that is a tuple if it has commas, within another. */
    Expression tuple() {
        return tuple(this::conditional, t -> false);
    }

    private Expression tuple(Parse item, Predicate<Token> endsTuple) {
        int line = tokens.line();
        List<Expression> items = new ArrayList<>();
        boolean isTuple = false;
        do {
            if (atTupleEnd() || endsTuple.test(tokens.peek())) {
                break;
            }
            items.add(item.parse());
            isTuple |= tokens.atOperator(",");
        } while (tokens.skipOperator(","));
        if (isTuple) {
            return new Expression.TupleOf(items, line);
        }
        if (items.isEmpty()) {
            throw tokens.unexpected("an expression");
        }
        return items.getFirst();
    }

    private boolean atTupleEnd() {
        return tokens.at(Kind.PRINT_END) || tokens.at(Kind.TAG_END) || tokens.atOperator(")");
    }

    /** An expression without commas, within another. */
    Expression conditional() {
        tokens.descend();
        int unknownBefore = unknown.size();
        int line = tokens.line();
        Expression value = or();
        while (tokens.skipName("if")) {
            Expression condition = or();
            Expression otherwise = tokens.skipName("else") ? conditional() : null;
            value = new Expression.Conditional(condition, value, otherwise, line);
            unknown.subList(unknownBefore, unknown.size()).clear();
        }
        tokens.ascend();
        return value;
    }

    private Expression or() {
        Expression left = and();
        while (tokens.atName("or")) {
            int line = tokens.take().line();
            left = new Expression.Or(left, and(), line);
        }
        return left;
    }

    private Expression and() {
        Expression left = not();
        while (tokens.atName("and")) {
            int line = tokens.take().line();
            left = new Expression.And(left, not(), line);
        }
        return left;
    }

    private Expression not() {
        if (!tokens.atName("not")) {
            return comparison();
        }
        tokens.descend();
        int line = tokens.take().line();
        Expression negated = new Expression.Not(not(), line);
        tokens.ascend();
        return negated;
    }

    private Expression comparison() {
        int line = tokens.line();
        Expression first = arithmetic(1);
        List<Expression.Compared> rest = new ArrayList<>();
        while (true) {
            if (tokens.at(Kind.OPERATOR) && COMPARISONS.contains(tokens.peek().text())) {
                rest.add(new Expression.Compared(tokens.take().text(), arithmetic(1)));
            } else if (tokens.skipName("in")) {
                rest.add(new Expression.Compared("in", arithmetic(1)));
            } else if (tokens.atName("not") && tokens.peekSecond().isName("in")) {
                tokens.take();
                tokens.take();
                rest.add(new Expression.Compared("not in", arithmetic(1)));
            } else {
                return rest.isEmpty() ? first : new Expression.Comparison(first, rest, line);
            }
        }
    }

    /** Operators of {@code level} and tighter ones. */
    private Expression arithmetic(int level) {
        if (level > 4) {
            return signed(true);
        }
        int line = tokens.line();
        Expression left = arithmetic(level + 1);
        while (tokens.at(Kind.OPERATOR) && ARITHMETIC.getOrDefault(tokens.peek().text(), 0) == level) {
            if (tokens.atOperator("~")) {
                left = concatenation(left, level, line);
            } else {
                String operator = tokens.take().text();
                left = new Expression.Arithmetic(operator, left, arithmetic(level + 1), line);
            }
        }
        return left;
    }

    private Expression concatenation(Expression first, int level, int line) {
        List<Expression> parts = new ArrayList<>();
        parts.add(first);
        while (tokens.skipOperator("~")) {
            parts.add(arithmetic(level + 1));
        }
        return new Expression.Concatenation(parts, line);
    }

    private Expression signed(boolean withFilters) {
        Expression value;
        if (tokens.atOperator("-") || tokens.atOperator("+")) {
            tokens.descend();
            Token sign = tokens.take();
            value = new Expression.Sign(sign.isOperator("-"), signed(false), sign.line());
            tokens.ascend();
        } else {
            value = operands.primary();
        }
        value = operands.postfix(value);
        return withFilters ? filtersAndTests(value) : value;
    }

    private Expression filtersAndTests(Expression input) {
        Expression value = input;
        while (true) {
            if (tokens.skipOperator("|")) {
                value = filter(value);
            } else if (tokens.atName("is")) {
                value = test(value);
            } else if (tokens.atOperator("(")) {
                value = new Expression.Call(value, operands.arguments(), tokens.line());
            } else {
                return value;
            }
        }
    }

    private Expression filter(@Nullable Expression input) {
        Token name = dottedName();
        if (!Filters.exist(name.text())) {
            unknown.add(name);
        }
        CallArguments arguments = tokens.atOperator("(") ? operands.arguments() : CallArguments.NONE;
        return new Expression.Filter(input, name.text(), arguments, name.line());
    }

    private Expression test(Expression input) {
        int line = tokens.take().line();
        boolean negated = tokens.skipName("not");
        Token name = dottedName();
        if (!Tests.exist(name.text())) {
            unknown.add(name);
        }
        CallArguments arguments = CallArguments.NONE;
        if (tokens.atOperator("(")) {
            arguments = operands.arguments();
        } else if (atTestArgument()) {
            if (tokens.atName("is")) {
                throw tokens.syntax(tokens.line(), "a test can't follow a test; use 'and'");
            }
            arguments = new CallArguments(List.of(operands.postfix(operands.primary())), List.of(), null, null);
        }
        Expression test = new Expression.Test(input, name.text(), arguments, line);
        return negated ? new Expression.Not(test, line) : test;
    }

    /** Whether the one argument of a test follows, which needs no parentheses. */
    private boolean atTestArgument() {
        return switch (tokens.peek().kind()) {
            case NAME -> !tokens.atName("else") && !tokens.atName("or") && !tokens.atName("and");
            case STRING, INTEGER, FLOAT -> true;
            case OPERATOR -> tokens.atOperator("[") || tokens.atOperator("{");
            default -> false;
        };
    }

    private Token dottedName() {
        Token first = tokens.expect(Kind.NAME);
        StringBuilder name = new StringBuilder(first.text());
        while (tokens.skipOperator(".")) {
            name.append('.').append(tokens.expect(Kind.NAME).text());
        }
        return new Token(Kind.NAME, name.toString(), first.line());
    }
}
