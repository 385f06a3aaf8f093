package org.hotrow.modelloader.template;

import java.util.List;
import java.util.Map;

/** The arguments of a call; the named ones in the order of the call. */
record Arguments(List<TemplateValue> positional, Map<String, TemplateValue> named) {
    /** These arguments without the first {@code count} positional ones. */
    Arguments from(int count) {
        return new Arguments(positional.subList(count, positional.size()), named);
    }
}
