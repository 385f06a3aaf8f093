package org.hotrow.modelloader.template;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a built-in filter, test, method or function takes.
 *
 * @param names in order
 * @param required how many of them must be given
 * @param named whether they may also be given by name
 * @param variadic takes whatever it is given
 */
record Parameters(List<String> names, int required, boolean named, boolean variadic) {
    /** Arguments by position or name. */
    static Parameters of(int required, String... names) {
        return new Parameters(List.of(names), required, true, false);
    }

    /** Arguments by position only. */
    static Parameters positional(int required, String... names) {
        return new Parameters(List.of(names), required, false, false);
    }

    /** Any arguments. */
    static Parameters any() {
        return new Parameters(List.of(), 0, true, true);
    }

    BoundArguments bind(Rendering run, String callee, Arguments arguments) {
        if (variadic) {
            return new BoundArguments(run, callee, this, arguments, new TemplateValue[0]);
        }
        int given = arguments.positional().size();
        if (given > names.size()) {
            throw run.runtime(callee + " takes " + names.size() + " arguments, not " + given);
        }
        @Nullable TemplateValue[] values = new TemplateValue[names.size()];
        for (int i = 0; i < given; i++) {
            values[i] = arguments.positional().get(i);
        }
        for (Map.Entry<String, TemplateValue> argument : arguments.named().entrySet()) {
            int index = named ? names.indexOf(argument.getKey()) : -1;
            if (index < 0) {
                throw run.runtime(callee + " takes no argument named '" + argument.getKey() + "'");
            }
            if (values[index] != null) {
                throw run.runtime(callee + " got its argument '" + argument.getKey() + "' twice");
            }
            values[index] = argument.getValue();
        }
        for (int i = 0; i < required; i++) {
            if (values[i] == null) {
                throw run.runtime(callee + " needs its argument '" + names.get(i) + "'");
            }
        }
        return new BoundArguments(run, callee, this, arguments, values);
    }
}
