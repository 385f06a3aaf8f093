package org.hotrow.modelloader.template;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The filters by name. */
final class Filters {
    /** Filters that Jinja has and this hasn't. */
    private static final Set<String> MISSING = Set.of(
            "filesizeformat",
            "pprint",
            "random",
            "striptags",
            "urlencode",
            "urlize",
            "wordcount",
            "wordwrap",
            "xmlattr");

    /** What leaves HTML HTML. */
    private static final Set<String> KEEP_ESCAPED =
            Set.of("capitalize", "center", "indent", "lower", "reverse", "string", "trim", "upper");

    /** What would escape other text when it meets HTML, as {@code +} does. */
    private static final Set<String> REFUSE_ESCAPED = Set.of("format", "truncate");

    private static final Map<String, Builtin> ALL = all();

    private Filters() {}

    private static Map<String, Builtin> all() {
        Map<String, Builtin> all = new HashMap<>();
        all.putAll(TextFilters.ALL);
        all.putAll(NumberFilters.ALL);
        all.putAll(SequenceFilters.ALL);
        all.putAll(SortFilters.ALL);
        all.putAll(SelectFilters.ALL);
        all.putAll(ValueFilters.ALL);
        return Map.copyOf(all);
    }

    /** The names of all filters. */
    static Set<String> names() {
        return ALL.keySet();
    }

    static boolean exist(String name) {
        return ALL.containsKey(name);
    }

    /** Whether Jinja has a filter of that name, if that can be answered. */
    static boolean isFilter(Rendering run, String name) {
        if (MISSING.contains(name)) {
            throw run.runtime("filter '" + name + "' is not supported");
        }
        return exist(name);
    }

    static TemplateValue apply(Rendering run, String name, TemplateValue input, Arguments arguments) {
        Builtin filter = ALL.get(name);
        if (filter == null) {
            throw run.runtime("unknown filter '" + name + "'");
        }
        boolean escaped = input instanceof TemplateText text && text.isEscaped();
        if (escaped && REFUSE_ESCAPED.contains(name)) {
            throw run.runtime("filter '" + name + "' is not supported for escaped text");
        }
        TemplateValue output = filter.apply(run, name, input, arguments);
        boolean keep = escaped && KEEP_ESCAPED.contains(name);
        return keep && output instanceof TemplateText text ? text.asEscaped() : output;
    }
}
