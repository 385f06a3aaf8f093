package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.template.Statement.MacroDefinition;

/**
 * Makes macros and calls them. A macro sees the variables of the place where it was defined. It takes more arguments than
 * it declares only if its body reads {@code varargs}, {@code kwargs} or {@code caller}.
 */
final class Macros {
    /** Renders the body of a macro. */
    @FunctionalInterface
    interface BodyRenderer {
        TemplateText render(List<Statement> body, Scope scope);
    }

    private final Rendering run;
    private final Evaluator evaluator;
    private final BodyRenderer renderer;

    Macros(Rendering run, Evaluator evaluator, BodyRenderer renderer) {
        this.run = run;
        this.evaluator = evaluator;
        this.renderer = renderer;
    }

    CallableValue macro(MacroDefinition definition, Scope definedIn) {
        return new CallableValue(definition.name(), arguments -> call(definition, definedIn, arguments));
    }

    /** A call whose callee gets the body of the block as its {@code caller}. */
    TemplateValue callWithCaller(Statement.CallBlock block, Scope scope) {
        int outerLine = run.enter(block.call().line());
        TemplateValue callee = evaluator.evaluate(block.call().callee(), scope);
        Arguments written = evaluator.arguments(block.call().arguments(), scope);
        Map<String, TemplateValue> named = new LinkedHashMap<>(written.named());
        if (named.put("caller", macro(block.caller(), scope)) != null) {
            throw run.runtime("a call block's own 'caller' can't be given");
        }
        TemplateValue value = evaluator.call(callee, new Arguments(written.positional(), named));
        run.leave(outerLine);
        return value;
    }

    private TemplateText call(MacroDefinition definition, Scope definedIn, Arguments arguments) {
        run.descend();
        Scope scope = definedIn.within(definition.body().names());
        bind(definition, arguments, scope);
        TemplateText text = renderer.render(definition.body().statements(), scope);
        run.ascend();
        return text;
    }

    private void bind(MacroDefinition definition, Arguments arguments, Scope scope) {
        List<Statement.Parameter> parameters = definition.parameters();
        List<TemplateValue> positional = arguments.positional();
        Map<String, TemplateValue> named = new LinkedHashMap<>(arguments.named());
        List<Statement.Parameter> missing = new ArrayList<>();
        boolean declaresCaller = false;
        for (int i = 0; i < parameters.size(); i++) {
            String name = parameters.get(i).name();
            declaresCaller |= name.equals("caller");
            TemplateValue value = i < positional.size() ? positional.get(i) : named.remove(name);
            if (value == null) {
                missing.add(parameters.get(i));
                value = UndefinedValue.because("parameter '" + name + "' was not provided");
            }
            scope.set(name, value);
        }
        bindMore(definition, positional, named, declaresCaller, scope);
        for (Statement.Parameter parameter : missing) {
            if (parameter.defaultValue() != null) {
                scope.set(parameter.name(), evaluator.evaluate(parameter.defaultValue(), scope));
            }
        }
    }

    private void bindMore(
            MacroDefinition definition,
            List<TemplateValue> positional,
            Map<String, TemplateValue> named,
            boolean declaresCaller,
            Scope scope) {
        ScopeNames body = definition.body().names();
        if (body.reads("caller") && !declaresCaller) {
            TemplateValue caller = named.remove("caller");
            scope.set("caller", caller == null ? UndefinedValue.because("no caller defined") : caller);
        }
        if (body.reads("kwargs")) {
            Map<Object, DictValue.Entry> members = new LinkedHashMap<>();
            named.forEach((name, value) -> members.put(name, new DictValue.Entry(TemplateText.untrusted(name), value)));
            scope.set("kwargs", new DictValue(members));
        } else if (!named.isEmpty()) {
            throw run.runtime("macro '" + definition.name() + "' takes no argument named '"
                    + named.keySet().iterator().next() + "'");
        }
        int declared = definition.parameters().size();
        if (body.reads("varargs")) {
            scope.set(
                    "varargs",
                    SequenceValue.tuple(positional.subList(Math.min(declared, positional.size()), positional.size())));
        } else if (positional.size() > declared) {
            throw run.runtime(
                    "macro '" + definition.name() + "' takes " + declared + " arguments, not " + positional.size());
        }
    }
}
