package org.hotrow.modelloader.template;

import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.template.Statement.Block;
import org.hotrow.modelloader.template.Statement.MacroDefinition;

/** Carries out statements. Output goes to a builder; macros and blocks that are captured get one of their own. */
final class Interpreter {
    /** How a list of statements ended. */
    private enum End {
        REACHED,
        BREAK,
        CONTINUE
    }

    private final Rendering run;
    private final Evaluator evaluator;
    private final Macros macros;

    private Interpreter(Rendering run) {
        this.run = run;
        this.evaluator = new Evaluator(run);
        this.macros = new Macros(run, evaluator, this::captureBody);
    }

    /** Renders a whole template. */
    static TemplateText render(Rendering run, Block template, Map<String, ? extends TemplateValue> context) {
        Interpreter interpreter = new Interpreter(run);
        Scope given = Scope.outermost(run, Functions.all(run)).within();
        context.forEach(given::set);
        TextBuilder out = TextBuilder.output(run);
        interpreter.execute(template.statements(), given.within(template.names()), out);
        return out.build();
    }

    private End execute(List<Statement> statements, Scope scope, TextBuilder out) {
        for (Statement statement : statements) {
            End end = execute(statement, scope, out);
            if (end != End.REACHED) {
                return end;
            }
        }
        return End.REACHED;
    }

    private End execute(Statement statement, Scope scope, TextBuilder out) {
        run.charge(1);
        return switch (statement) {
            case Statement.Text text -> print(text.text(), out);
            case Statement.Print print -> {
                run.at(print.value().line());
                yield print(evaluator.evaluate(print.value(), scope), out);
            }
            case Statement.If branches -> conditional(branches, scope, out);
            case Statement.For loop -> loop(loop, scope, out);
            case Statement.Set set -> {
                run.at(set.line());
                assign(set.target(), evaluator.evaluate(set.value(), scope), scope);
                yield End.REACHED;
            }
            case Statement.SetBlock block -> setBlock(block, scope);
            case Statement.Macro macro -> {
                MacroDefinition definition = macro.definition();
                scope.set(definition.name(), macros.macro(definition, scope));
                yield End.REACHED;
            }
            case Statement.CallBlock call -> print(macros.callWithCaller(call, scope), out);
            case Statement.FilterBlock block -> filterBlock(block, scope, out);
            case Statement.With with -> with(with, scope, out);
            case Statement.Scoped scoped -> block(scoped.body(), scope, out);
            case Statement.Break _ -> End.BREAK;
            case Statement.Continue _ -> End.CONTINUE;
        };
    }

    private End print(TemplateValue value, TextBuilder out) {
        out.append(Printing.text(run, value));
        return End.REACHED;
    }

    /** Statements one level deeper. */
    private End nested(List<Statement> statements, Scope scope, TextBuilder out) {
        int line = run.enter();
        End end = execute(statements, scope, out);
        run.leave(line);
        return end;
    }

    private End conditional(Statement.If branches, Scope scope, TextBuilder out) {
        for (Statement.Branch branch : branches.branches()) {
            if (evaluator.evaluate(branch.condition(), scope).isTrue()) {
                return nested(branch.body(), scope, out);
            }
        }
        return nested(branches.otherwise(), scope, out);
    }

    private End block(Block block, Scope outer, TextBuilder out) {
        return nested(block.statements(), outer.within(block.names()), out);
    }

    private End loop(Statement.For loop, Scope scope, TextBuilder out) {
        run.at(loop.line());
        TemplateValue items = evaluator.evaluate(loop.items(), scope);
        if (loop.recursive()) {
            return print(level(loop, items, 1, scope), out);
        }
        return iterate(loop, items, 1, scope, out);
    }

    /** One level of a recursive loop, which gives text to the {@code loop()} that asked for it. */
    private TemplateText level(Statement.For loop, TemplateValue items, int depth, Scope scope) {
        run.descend();
        TextBuilder out = new TextBuilder(run);
        iterate(loop, items, depth, scope, out);
        run.ascend();
        return out.build();
    }

    private End iterate(Statement.For loop, TemplateValue value, int depth, Scope scope, TextBuilder out) {
        IteratorValue items = Iteration.iterator(run, value);
        Integer length = Iteration.length(run, value);
        if (loop.condition() != null) {
            items = matching(loop.target(), loop.condition(), items, scope);
            length = null;
        }
        LoopValue position = new LoopValue(
                run, items, length, depth, loop.recursive() ? (more, down) -> level(loop, more, down, scope) : null);
        boolean completedOnce = false;
        for (TemplateValue item = position.next(); item != null; item = position.next()) {
            run.charge(1);
            Scope inner = scope.within(loop.body().names());
            inner.set("loop", position);
            assign(loop.target(), item, inner);
            End end = nested(loop.body().statements(), inner, out);
            // Jinja notes a turn at its very end, so the else block also runs when none got that far.
            completedOnce |= end == End.REACHED;
            if (end == End.BREAK) {
                break;
            }
        }
        return completedOnce || loop.otherwise().statements().isEmpty()
                ? End.REACHED
                : block(loop.otherwise(), scope, out);
    }

    /** The items for which the loop's condition is true, looked for when the loop asks for the next one. */
    private IteratorValue matching(Statement.Target target, Expression condition, IteratorValue items, Scope scope) {
        return new IteratorValue(run, () -> {
            for (TemplateValue item = items.next(); item != null; item = items.next()) {
                Scope inner = scope.within();
                assign(target, item, inner);
                if (evaluator.evaluate(condition, inner).isTrue()) {
                    return item;
                }
            }
            return null;
        });
    }

    private End setBlock(Statement.SetBlock block, Scope scope) {
        run.at(block.line());
        Scope inner = scope.within(block.body().names());
        TextBuilder captured = new TextBuilder(run);
        End end = nested(block.body().statements(), inner, captured);
        if (end == End.REACHED) {
            TemplateText text = captured.build();
            Expression filters = block.filters();
            assign(block.target(), filters == null ? text : evaluator.filterBlock(filters, text, inner), scope);
        }
        return end;
    }

    private End filterBlock(Statement.FilterBlock block, Scope scope, TextBuilder out) {
        run.at(block.line());
        Scope inner = scope.within(block.body().names());
        TextBuilder captured = new TextBuilder(run);
        End end = nested(block.body().statements(), inner, captured);
        return end == End.REACHED ? print(evaluator.filterBlock(block.filters(), captured.build(), inner), out) : end;
    }

    private End with(Statement.With with, Scope scope, TextBuilder out) {
        Scope inner = scope.within(with.body().names());
        for (Statement.Binding binding : with.bindings()) {
            assign(binding.target(), evaluator.evaluate(binding.value(), scope), inner);
        }
        return nested(with.body().statements(), inner, out);
    }

    /** The body of a macro, whose output is its value. */
    private TemplateText captureBody(List<Statement> statements, Scope scope) {
        TextBuilder captured = new TextBuilder(run);
        nested(statements, scope, captured);
        return captured.build();
    }

    private void assign(Statement.Target target, TemplateValue value, Scope scope) {
        switch (target) {
            case Statement.NameTarget name -> scope.set(name.name(), value);
            case Statement.AttributeTarget attribute -> {
                if (!(scope.get(attribute.object()) instanceof NamespaceValue namespace)) {
                    throw run.runtime("'" + attribute.object() + "' is no namespace, so its attributes can't be set");
                }
                namespace.set(attribute.attribute(), value);
            }
            case Statement.TupleTarget tuple -> {
                List<? extends TemplateValue> values = Iteration.items(run, value);
                int expected = tuple.targets().size();
                if (values.size() != expected) {
                    throw run.runtime(values.size() + " values for " + expected + " names");
                }
                for (int i = 0; i < expected; i++) {
                    assign(tuple.targets().get(i), values.get(i), scope);
                }
            }
        }
    }
}
