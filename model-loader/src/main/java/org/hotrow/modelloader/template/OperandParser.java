package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hotrow.modelloader.template.Expression.CallArguments;
import org.hotrow.modelloader.template.Token.Kind;

/** Parses what operators work on: names, literals, and the attributes, items and calls behind them. */
final class OperandParser {
    private static final int MAX_DIGITS = 4300;

    private final TokenStream tokens;
    private final ExpressionParser expressions;

    OperandParser(TokenStream tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    Expression primary() {
        Token token = tokens.peek();
        return switch (token.kind()) {
            case NAME -> name(tokens.take());
            case STRING -> string();
            case INTEGER, FLOAT -> number(tokens.take());
            case OPERATOR ->
                switch (token.text()) {
                    case "(" -> parenthesised();
                    case "[" -> list();
                    case "{" -> dict();
                    default -> throw tokens.unexpected("an expression");
                };
            default -> throw tokens.unexpected("an expression");
        };
    }

    private Expression name(Token token) {
        return switch (token.text()) {
            case "true", "True" -> new Expression.Literal(BoolValue.TRUE, token.line());
            case "false", "False" -> new Expression.Literal(BoolValue.FALSE, token.line());
            case "none", "None" -> new Expression.Literal(NoneValue.NONE, token.line());
            default -> {
                expressions.names().read(token.text());
                yield new Expression.Name(token.text(), token.line());
            }
        };
    }

    /** Neighbouring strings are one, as in Python. */
    private Expression string() {
        int line = tokens.line();
        StringBuilder text = new StringBuilder();
        while (tokens.at(Kind.STRING)) {
            text.append(tokens.take().text());
        }
        return new Expression.Literal(TemplateText.trusted(text.toString()), line);
    }

    private Expression number(Token token) {
        if (token.kind() == Kind.FLOAT) {
            return new Expression.Literal(new FloatValue(Double.parseDouble(token.text())), token.line());
        }
        if (token.text().length() > MAX_DIGITS) {
            throw tokens.syntax(token.line(), "an integer of more than " + MAX_DIGITS + " digits");
        }
        String digits = token.text();
        int base = digits.length() < 2 ? 10 : TagLexer.base(digits.charAt(1));
        BigInteger value = new BigInteger(base == 10 ? digits : digits.substring(2), base);
        return new Expression.Literal(new IntValue(value), token.line());
    }

    private Expression parenthesised() {
        int line = tokens.take().line();
        Expression inside = tokens.atOperator(")") ? new Expression.TupleOf(List.of(), line) : expressions.tuple();
        tokens.expectOperator(")");
        return inside;
    }

    private Expression list() {
        int line = tokens.take().line();
        List<Expression> items = new ArrayList<>();
        while (!tokens.atOperator("]")) {
            items.add(expressions.conditional());
            if (!tokens.atOperator("]")) {
                tokens.expectOperator(",");
            }
        }
        tokens.take();
        return new Expression.ListOf(items, line);
    }

    private Expression dict() {
        int line = tokens.take().line();
        List<Expression.Member> members = new ArrayList<>();
        while (!tokens.atOperator("}")) {
            Expression key = expressions.conditional();
            tokens.expectOperator(":");
            members.add(new Expression.Member(key, expressions.conditional()));
            if (!tokens.atOperator("}")) {
                tokens.expectOperator(",");
            }
        }
        tokens.take();
        return new Expression.DictOf(members, line);
    }

    Expression postfix(Expression object) {
        Expression value = object;
        while (true) {
            int line = tokens.line();
            if (tokens.skipOperator(".")) {
                value = attribute(value, line);
            } else if (tokens.skipOperator("[")) {
                value = subscript(value, line);
            } else if (tokens.atOperator("(")) {
                value = new Expression.Call(value, arguments(), line);
            } else {
                return value;
            }
        }
    }

    private Expression attribute(Expression object, int line) {
        if (tokens.at(Kind.INTEGER)) {
            return new Expression.Item(object, number(tokens.take()), line);
        }
        return new Expression.Attribute(object, tokens.expect(Kind.NAME).text(), line);
    }

    private Expression subscript(Expression object, int line) {
        Expression from = tokens.atOperator(":") ? null : expressions.conditional();
        if (!tokens.skipOperator(":")) {
            if (from == null || tokens.atOperator(",")) {
                throw tokens.unexpected("one index");
            }
            tokens.expectOperator("]");
            return new Expression.Item(object, from, line);
        }
        Expression to = tokens.atOperator(":") || tokens.atOperator("]") ? null : expressions.conditional();
        Expression step = tokens.skipOperator(":") && !tokens.atOperator("]") ? expressions.conditional() : null;
        tokens.expectOperator("]");
        return new Expression.Slice(object, from, to, step, line);
    }

    CallArguments arguments() {
        tokens.expectOperator("(");
        List<Expression> positional = new ArrayList<>();
        List<Expression.Named> named = new ArrayList<>();
        Set<String> used = new HashSet<>();
        Expression spread = null;
        Expression spreadNamed = null;
        while (!tokens.atOperator(")")) {
            int line = tokens.line();
            boolean inOrder = spreadNamed == null;
            if (tokens.skipOperator("*")) {
                inOrder &= spread == null;
                spread = expressions.conditional();
            } else if (tokens.skipOperator("**")) {
                spreadNamed = expressions.conditional();
            } else if (tokens.at(Kind.NAME) && tokens.peekSecond().isOperator("=")) {
                String name = tokens.take().text();
                inOrder &= used.add(name);
                tokens.take();
                named.add(new Expression.Named(name, expressions.conditional()));
            } else {
                inOrder &= spread == null && named.isEmpty();
                positional.add(expressions.conditional());
            }
            if (!inOrder) {
                throw tokens.syntax(line, "arguments out of order; expected values, then name=value, each name once");
            }
            if (!tokens.atOperator(")")) {
                tokens.expectOperator(",");
            }
        }
        tokens.take();
        return new CallArguments(positional, named, spread, spreadNamed);
    }
}
