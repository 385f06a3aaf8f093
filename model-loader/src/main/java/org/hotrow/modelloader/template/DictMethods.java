package org.hotrow.modelloader.template;

import java.util.Map;

/** The methods of mappings that change nothing. */
final class DictMethods {
    static final Map<String, Builtin> ALL = Map.of(
            "copy", new Builtin(Parameters.positional(0), (_, self, _) -> self),
            "get", new Builtin(Parameters.positional(1, "key", "default"), DictMethods::get),
            "items", view(DictView.Part.ITEMS),
            "keys", view(DictView.Part.KEYS),
            "values", view(DictView.Part.VALUES));

    private DictMethods() {}

    private static Builtin view(DictView.Part part) {
        return new Builtin(Parameters.positional(0), (_, self, _) -> new DictView(part, (DictValue) self));
    }

    private static TemplateValue get(Rendering run, TemplateValue self, BoundArguments arguments) {
        TemplateValue value = ((DictValue) self).get(HashKey.of(run, arguments.get(0)));
        return value == null ? arguments.get(1, NoneValue.NONE) : value;
    }
}
