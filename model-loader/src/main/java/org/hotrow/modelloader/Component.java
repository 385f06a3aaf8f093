package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A small object of a tokenizer file: an added token, a normalizer, a pre-tokenizer and the like. Every refusal names
 * the field: {@code tokenizer.json: pre_tokenizer.pretokenizers[0].behavior: ...}.
 *
 * @param file the file, for messages
 * @param where the object's place in it
 * @param fields strings, booleans, whole numbers, nulls, lists and components, in file order
 */
record Component(Path file, String where, Map<String, @Nullable Object> fields) {
    /** The kind of the component. */
    String type() {
        return text("type");
    }

    String text(String name) {
        if (fields.get(name) instanceof String text) {
            return text;
        }
        throw expected(name, "a string");
    }

    boolean flag(String name) {
        if (fields.get(name) instanceof Boolean flag) {
            return flag;
        }
        throw expected(name, "true or false");
    }

    /** A flag that a file may leave out. */
    boolean flag(String name, boolean absent) {
        return fields.containsKey(name) ? flag(name) : absent;
    }

    int number(String name) {
        if (fields.get(name) instanceof Integer number) {
            return number;
        }
        throw expected(name, "a whole number");
    }

    /** A list of whole numbers. */
    List<Integer> numbers(String name) {
        if (fields.get(name) instanceof List<?> items && items.stream().allMatch(Integer.class::isInstance)) {
            return items.stream().map(Integer.class::cast).toList();
        }
        throw expected(name, "a list of whole numbers");
    }

    Component child(String name) {
        if (fields.get(name) instanceof Component child) {
            return child;
        }
        throw expected(name, "an object");
    }

    /** A list of objects. */
    List<Component> children(String name) {
        if (!(fields.get(name) instanceof List<?> items)) {
            throw expected(name, "a list");
        }
        List<Component> children = new ArrayList<>();
        for (Object item : items) {
            if (!(item instanceof Component child)) {
                throw expected(name + "[" + children.size() + "]", "an object");
            }
            children.add(child);
        }
        return children;
    }

    /** Refuses every field but these: what isn't known can't be ignored. */
    void allow(String... names) {
        for (String name : fields.keySet()) {
            if (!Set.of(names).contains(name)) {
                throw refusal(name, "unknown field, expected only " + String.join(", ", names));
            }
        }
    }

    ModelFormatException refusal(String name, String problem) {
        return new ModelFormatException(file, where + "." + name, problem);
    }

    /** The refusal of a component of a kind that Hotrow does not run. */
    ModelFormatException unsupportedType(String expected) {
        return refusal("type", "is " + ModelFormatException.quote(type()) + ", expected " + expected);
    }

    private ModelFormatException expected(String name, String what) {
        String found = fields.containsKey(name) ? "is not " : "is missing, expected ";
        return refusal(name, found + what);
    }
}
