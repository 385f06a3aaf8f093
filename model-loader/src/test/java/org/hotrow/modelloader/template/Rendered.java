package org.hotrow.modelloader.template;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.stream.Collectors;

/** Short ways to render a template in a test. */
final class Rendered {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-05T09:07:03Z"), ZoneOffset.UTC);

    private Rendered() {}

    static TemplateText text(String source, Map<String, ? extends TemplateValue> context) {
        return Template.compile(source, "test").render(context, TemplateLimits.DEFAULT, CLOCK);
    }

    static String chars(String source, Map<String, ? extends TemplateValue> context) {
        return text(source, context).chars();
    }

    static String chars(String source) {
        return chars(source, Map.of());
    }

    /** The output with trusted runs in guillemets. */
    static String marked(String source, Map<String, ? extends TemplateValue> context) {
        return text(source, context).runs().stream()
                .map(run -> run.trusted() ? "«" + run.chars() + "»" : run.chars())
                .collect(Collectors.joining());
    }
}
