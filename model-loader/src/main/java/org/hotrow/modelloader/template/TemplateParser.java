package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.hotrow.modelloader.template.Statement.Block;
import org.hotrow.modelloader.template.Statement.MacroDefinition;
import org.hotrow.modelloader.template.Token.Kind;

/** Parses the statements of a template. */
final class TemplateParser {
    private final TokenStream tokens;
    private final ExpressionParser expressions;
    private final TargetParser targets;
    private final List<ScopeNames> scopes = new ArrayList<>();
    /** Loops that {@code break} may leave; a macro's body begins anew. */
    private int breakableLoops;
    /** Loops around, macros or not; inside of one, {@code loop} can't be assigned. */
    private int loops;

    private TemplateParser(TokenStream tokens) {
        ScopeNames top = new ScopeNames(null);
        this.tokens = tokens;
        this.expressions = new ExpressionParser(tokens, top);
        this.targets = new TargetParser(tokens);
        scopes.add(top);
    }

    static Block parse(String name, String source) {
        TokenStream tokens = new TokenStream(name, TemplateLexer.tokens(new TemplateSource(name, source)));
        TemplateParser parser = new TemplateParser(tokens);
        Block template = new Block(parser.scopes.getFirst(), parser.statements(Set.of()));
        parser.scopes.forEach(ScopeNames::resolve);
        return template;
    }

    /** Statements up to a tag named in {@code ends}, whose name is then next; up to the end of the template if empty. */
    private List<Statement> statements(Set<String> ends) {
        tokens.descend();
        List<Statement> statements = new ArrayList<>();
        while (true) {
            Token token = tokens.take();
            switch (token.kind()) {
                case DATA -> statements.add(new Statement.Text(TemplateText.trusted(token.text())));
                case PRINT_BEGIN -> {
                    statements.add(new Statement.Print(expressions.tupleOrSingle()));
                    tokens.expect(Kind.PRINT_END);
                }
                case TAG_BEGIN -> {
                    if (tokens.at(Kind.NAME) && ends.contains(tokens.peek().text())) {
                        tokens.ascend();
                        return statements;
                    }
                    statements.addAll(statement(ends));
                    tokens.expect(Kind.TAG_END);
                }
                default -> {
                    if (!ends.isEmpty()) {
                        throw tokens.syntax(token.line(), "the template ends within a block; expected " + tags(ends));
                    }
                    tokens.ascend();
                    return statements;
                }
            }
        }
    }

    /** The body of a tag up to its end tag, which is taken except for its bracket. */
    private List<Statement> body(String end) {
        beginBody();
        List<Statement> statements = statements(Set.of(end));
        tokens.take();
        return statements;
    }

    /** The bracket that ends a tag with a body; as in Python, a colon may stand before it. */
    private void beginBody() {
        tokens.skipOperator(":");
        tokens.expect(Kind.TAG_END);
    }

    /** A body with names of its own, some of them parameters. */
    private Block block(String end, List<String> parameters) {
        ScopeNames outer = enterScope(parameters);
        List<Statement> statements = body(end);
        return new Block(expressions.enterScope(outer), statements);
    }

    private ScopeNames enterScope(List<String> parameters) {
        ScopeNames scope = new ScopeNames(expressions.names());
        scopes.add(scope);
        parameters.forEach(scope::parameter);
        return expressions.enterScope(scope);
    }

    private static String tags(Set<String> names) {
        return String.join(
                " or ",
                names.stream().sorted().map(name -> "{% " + name + " %}").toList());
    }

    private List<Statement> statement(Set<String> ends) {
        Token tag = tokens.expect(Kind.NAME);
        return switch (tag.text()) {
            case "if" -> List.of(conditional());
            case "for" -> List.of(loop(tag.line()));
            case "set" -> List.of(assignment(tag.line()));
            case "macro" -> List.of(macro());
            case "call" -> List.of(callBlock(tag.line()));
            case "filter" -> List.of(filterBlock(tag.line()));
            case "with" -> List.of(with());
            case "generation" -> List.of(new Statement.Scoped(block("endgeneration", List.of())));
            case "print" -> print();
            case "break" -> List.of(leaveLoop(tag, new Statement.Break()));
            case "continue" -> List.of(leaveLoop(tag, new Statement.Continue()));
            default -> {
                String expected = ends.isEmpty() ? "" : "; expected " + tags(ends) + " or another known tag";
                throw tokens.syntax(tag.line(), "unknown tag '" + tag.text() + "'" + expected);
            }
        };
    }

    private Statement leaveLoop(Token tag, Statement statement) {
        if (breakableLoops == 0) {
            throw tokens.syntax(tag.line(), "'" + tag.text() + "' outside of a loop");
        }
        return statement;
    }

    private List<Statement> print() {
        List<Statement> prints = new ArrayList<>();
        while (!tokens.at(Kind.TAG_END)) {
            if (!prints.isEmpty()) {
                tokens.expectOperator(",");
            }
            prints.add(new Statement.Print(expressions.single()));
        }
        return prints;
    }

    private Statement conditional() {
        ScopeNames names = expressions.names();
        names.beginCondition();
        List<Statement.Branch> branches = new ArrayList<>();
        do {
            Expression condition = expressions.tupleOrSingleBeforeIf();
            beginBody();
            branches.add(new Statement.Branch(condition, statements(Set.of("elif", "else", "endif"))));
        } while (tokens.skipName("elif"));
        List<Statement> otherwise = tokens.take().isName("else") ? body("endif") : List.of();
        names.endCondition();
        return new Statement.If(branches, otherwise);
    }

    private Statement loop(int line) {
        Statement.Target target = targets.target(false, "in");
        List<String> targetNames = targets.names(target);
        loops++;
        refuseLoopTarget(targetNames, line);
        tokens.expectName("in");
        Expression items = expressions.tupleOrSingleBeforeIf();
        Expression condition = tokens.skipName("if") ? loopCondition(targetNames) : null;
        boolean recursive = tokens.skipName("recursive");

        int outerLoops = breakableLoops;
        breakableLoops = recursive ? 1 : outerLoops + 1;
        List<String> bodyNames = new ArrayList<>(targetNames);
        bodyNames.add("loop");
        ScopeNames outer = enterScope(bodyNames);
        beginBody();
        List<Statement> body = statements(Set.of("else", "endfor"));
        ScopeNames names = expressions.enterScope(outer);

        breakableLoops = recursive ? 0 : outerLoops;
        Block otherwise = tokens.take().isName("else") ? block("endfor", List.of()) : new Block(outer, List.of());
        breakableLoops = outerLoops;
        loops--;
        return new Statement.For(target, items, condition, recursive, new Block(names, body), otherwise, line);
    }

    private Expression loopCondition(List<String> targetNames) {
        ScopeNames outer = enterScope(targetNames);
        Expression condition = expressions.single();
        expressions.enterScope(outer);
        return condition;
    }

    private Statement assignment(int line) {
        Statement.Target target = targets.target(true, "");
        List<String> targetNames = targets.names(target);
        refuseLoopTarget(targetNames, line);
        targets.namespaces(target).forEach(expressions.names()::read);
        if (tokens.skipOperator("=")) {
            Expression value = expressions.tupleOrSingle();
            targetNames.forEach(expressions.names()::set);
            return new Statement.Set(target, value, line);
        }
        targetNames.forEach(expressions.names()::set);
        ScopeNames outer = enterScope(List.of());
        Expression filters = tokens.skipOperator("|") ? expressions.filters() : null;
        List<Statement> body = body("endset");
        return new Statement.SetBlock(target, filters, new Block(expressions.enterScope(outer), body), line);
    }

    private void refuseLoopTarget(List<String> names, int line) {
        if (loops > 0 && names.contains("loop")) {
            throw tokens.syntax(line, "'loop' can't be assigned inside of a loop");
        }
    }

    private Statement macro() {
        Token name = tokens.expect(Kind.NAME);
        expressions.names().set(name.text());
        ScopeNames outer = enterScope(List.of());
        List<Statement.Parameter> parameters = parameters();
        List<Statement> body = macroBody("endmacro");
        Block block = new Block(expressions.enterScope(outer), body);
        return new Statement.Macro(new MacroDefinition(name.text(), parameters, block, name.line()));
    }

    private Statement callBlock(int line) {
        ScopeNames outer = enterScope(List.of());
        ScopeNames inner = expressions.names();
        List<Statement.Parameter> parameters = tokens.atOperator("(") ? parameters() : List.of();
        expressions.enterScope(outer);
        if (!(expressions.single() instanceof Expression.Call call)) {
            throw tokens.syntax(line, "expected a call");
        }
        expressions.enterScope(inner);
        List<Statement> body = macroBody("endcall");
        expressions.enterScope(outer);
        return new Statement.CallBlock(call, new MacroDefinition("caller", parameters, new Block(inner, body), line));
    }

    private List<Statement> macroBody(String end) {
        int outerLoops = breakableLoops;
        breakableLoops = 0;
        List<Statement> body = body(end);
        breakableLoops = outerLoops;
        return body;
    }

    private List<Statement.Parameter> parameters() {
        tokens.expectOperator("(");
        List<Statement.Parameter> parameters = new ArrayList<>();
        Set<String> used = new HashSet<>();
        boolean defaults = false;
        while (!tokens.atOperator(")")) {
            Token name = tokens.expect(Kind.NAME);
            if (!used.add(name.text())) {
                throw tokens.syntax(name.line(), "two parameters of the name '" + name.text() + "'");
            }
            expressions.names().parameter(name.text());
            boolean hasDefault = tokens.skipOperator("=");
            if (defaults && !hasDefault) {
                throw tokens.syntax(name.line(), "a parameter without default behind one with a default");
            }
            defaults = hasDefault;
            parameters.add(new Statement.Parameter(name.text(), hasDefault ? expressions.single() : null));
            if (!tokens.atOperator(")")) {
                tokens.expectOperator(",");
            }
        }
        tokens.take();
        return parameters;
    }

    private Statement filterBlock(int line) {
        ScopeNames outer = enterScope(List.of());
        Expression filters = expressions.filters();
        List<Statement> body = body("endfilter");
        return new Statement.FilterBlock(filters, new Block(expressions.enterScope(outer), body), line);
    }

    private Statement with() {
        List<Statement.Binding> bindings = new ArrayList<>();
        List<String> bound = new ArrayList<>();
        while (!tokens.at(Kind.TAG_END)) {
            if (!bindings.isEmpty()) {
                tokens.expectOperator(",");
            }
            Statement.Target target = targets.target(false, "");
            bound.addAll(targets.names(target));
            tokens.expectOperator("=");
            bindings.add(new Statement.Binding(target, expressions.single()));
        }
        return new Statement.With(bindings, block("endwith", bound));
    }
}
