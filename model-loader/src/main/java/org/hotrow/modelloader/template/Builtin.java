package org.hotrow.modelloader.template;

/** A filter, test or method: code that works on a value {@code self} with arguments. */
record Builtin(Parameters parameters, Body body) {
    @FunctionalInterface
    interface Body {
        TemplateValue apply(Rendering run, TemplateValue self, BoundArguments arguments);
    }

    /** The code of what works on text only. */
    @FunctionalInterface
    interface TextBody {
        TemplateValue apply(Rendering run, TemplateText self, BoundArguments arguments);
    }

    /** With arguments by position or name, of which {@code required} must be given. */
    static Builtin of(Body body, int required, String... names) {
        return new Builtin(Parameters.of(required, names), body);
    }

    /** With any arguments. */
    static Builtin variadic(Body body) {
        return new Builtin(Parameters.any(), body);
    }

    /** A method of text, with arguments by position. */
    static Builtin textMethod(TextBody body, int required, String... names) {
        return new Builtin(
                Parameters.positional(required, names),
                (run, self, arguments) -> body.apply(run, Printing.text(run, self), arguments));
    }

    /** A filter that first makes its input text. */
    static Builtin textFilter(TextBody body, int required, String... names) {
        return of((run, self, arguments) -> body.apply(run, Printing.text(run, self), arguments), required, names);
    }

    TemplateValue apply(Rendering run, String name, TemplateValue self, Arguments arguments) {
        return body.apply(run, self, parameters.bind(run, name, arguments));
    }
}
