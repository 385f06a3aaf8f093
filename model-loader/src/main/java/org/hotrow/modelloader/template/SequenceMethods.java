package org.hotrow.modelloader.template;

import java.util.List;
import java.util.Map;

/** The methods of lists and tuples that change nothing. */
final class SequenceMethods {
    static final Map<String, Builtin> ALL = Map.of(
            "count", new Builtin(Parameters.positional(1, "value"), SequenceMethods::count),
            "index", new Builtin(Parameters.positional(1, "value"), SequenceMethods::index));

    private SequenceMethods() {}

    private static TemplateValue count(Rendering run, TemplateValue self, BoundArguments arguments) {
        long count = Iteration.items(run, self).stream()
                .filter(item -> Comparison.equal(run, item, arguments.get(0)))
                .count();
        return IntValue.of(count);
    }

    private static TemplateValue index(Rendering run, TemplateValue self, BoundArguments arguments) {
        List<? extends TemplateValue> items = Iteration.items(run, self);
        for (int i = 0; i < items.size(); i++) {
            if (Comparison.equal(run, items.get(i), arguments.get(0))) {
                return IntValue.of(i);
            }
        }
        throw run.runtime("a value that is not in the list");
    }
}
