package org.hotrow.modelloader.template;

import java.util.List;
import org.hotrow.modelloader.template.Token.Kind;

/** The tokens of a template with the one that is next, and how deep the parser is in them. */
final class TokenStream {
    private final String templateName;
    private final List<Token> tokens;
    private int next;
    private int nesting;

    TokenStream(String templateName, List<Token> tokens) {
        this.templateName = templateName;
        this.tokens = tokens;
    }

    /** The next token, which stays the next one. */
    Token peek() {
        return tokens.get(next);
    }

    /** The token after the next one. */
    Token peekSecond() {
        return tokens.get(Math.min(next + 1, tokens.size() - 1));
    }

    /** Takes the next token. The last one, the end, can be taken again and again. */
    Token take() {
        Token token = tokens.get(next);
        next = Math.min(next + 1, tokens.size() - 1);
        return token;
    }

    int line() {
        return peek().line();
    }

    boolean atOperator(String operator) {
        return peek().isOperator(operator);
    }

    boolean atName(String name) {
        return peek().isName(name);
    }

    boolean at(Kind kind) {
        return peek().kind() == kind;
    }

    /** Takes the next token if it is {@code operator}. */
    boolean skipOperator(String operator) {
        boolean found = atOperator(operator);
        if (found) {
            take();
        }
        return found;
    }

    /** Takes the next token if it is {@code name}. */
    boolean skipName(String name) {
        boolean found = atName(name);
        if (found) {
            take();
        }
        return found;
    }

    void expectOperator(String operator) {
        if (!skipOperator(operator)) {
            throw unexpected("'" + operator + "'");
        }
    }

    void expectName(String name) {
        if (!skipName(name)) {
            throw unexpected("'" + name + "'");
        }
    }

    Token expect(Kind kind) {
        if (!at(kind)) {
            throw unexpected(kind.toString());
        }
        return take();
    }

    /** Goes one level deeper; the parser calls itself, so this has a limit. */
    void descend() {
        if (++nesting > TemplateLimits.MAX_DEPTH) {
            throw new TemplateException(
                    TemplateException.Kind.LIMIT,
                    templateName,
                    line(),
                    "nested more than " + TemplateLimits.MAX_DEPTH + " deep");
        }
    }

    void ascend() {
        nesting--;
    }

    TemplateException unexpected(String expected) {
        return syntax(line(), "expected " + expected + ", found " + peek().describe());
    }

    TemplateException syntax(int line, String problem) {
        return new TemplateException(TemplateException.Kind.SYNTAX, templateName, line, problem);
    }
}
