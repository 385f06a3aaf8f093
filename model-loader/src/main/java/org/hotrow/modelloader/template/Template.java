package org.hotrow.modelloader.template;

import java.time.Clock;
import java.util.Map;

/**
 * A compiled template. It renders as Jinja 3.1 does in its immutable sandbox with {@code trim_blocks}, {@code
 * lstrip_blocks}, {@code break} and {@code continue}, the block {@code generation}, the filter {@code tojson} of plain
 * JSON and the functions {@code raise_exception} and {@code strftime_now}.
 *
 * <p>What Jinja can do and this can't is refused with an error, never rendered in another way: other files ({@code
 * include}, {@code import}, {@code extends}), blocks, {@code str.format}, some filters.
 *
 * <pre>
 *   source -> TemplateLexer, TagLexer -> tokens -> TemplateParser, ExpressionParser -> statements and expressions
 *   statements, context -> Interpreter, Evaluator -> marked text
 * </pre>
 *
 * <p>Immutable; any number of threads may render at once.
 */
public final class Template {
    /** Longest source, in characters. */
    public static final int MAX_SOURCE = 1 << 20;

    private final String name;
    private final Statement.Block body;

    private Template(String name, Statement.Block body) {
        this.name = name;
        this.body = body;
    }

    /**
     * Compiles a template.
     *
     * @param name what error messages call it
     * @throws TemplateException of kind {@code SYNTAX}, or {@code LIMIT} if it is too long or nested too deeply
     */
    public static Template compile(String source, String name) {
        if (source.length() > MAX_SOURCE) {
            throw new TemplateException(
                    TemplateException.Kind.LIMIT,
                    name,
                    1,
                    "a template of " + source.length() + " characters, more than " + MAX_SOURCE);
        }
        return new Template(name, TemplateParser.parse(name, source));
    }

    /**
     * Renders the template.
     *
     * @param context the variables that the template is given
     * @param clock the time and zone for {@code strftime_now}
     * @throws TemplateException if it fails, refuses or exceeds a limit
     */
    public TemplateText render(Map<String, ? extends TemplateValue> context, TemplateLimits limits, Clock clock) {
        return Interpreter.render(new Rendering(name, limits, clock), body, context);
    }
}
