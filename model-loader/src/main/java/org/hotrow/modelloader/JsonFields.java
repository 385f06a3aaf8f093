package org.hotrow.modelloader;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hotrow.modelloader.JsonValue.JsonArray;
import org.hotrow.modelloader.JsonValue.JsonBool;
import org.hotrow.modelloader.JsonValue.JsonNull;
import org.hotrow.modelloader.JsonValue.JsonNumber;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.hotrow.modelloader.JsonValue.JsonString;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a JSON object in a config or tokenizer file, or in a line of requests. A field that is absent or null is unset. Every refusal names the file
 * and the field, what it is and what was expected:
 * {@code config.json: rope_parameters.rope_theta: is "x", expected a positive number up to 1.0E12}.
 *
 * @param file the file, for messages
 * @param path where the object lies in it: empty, or the name of a field and a dot
 */
public record JsonFields(Path file, String path, JsonObject object) {
    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_TEXT = 1 << 16;

    /** The object in a file of at most 1 MiB. */
    static JsonFields read(Path file) {
        // Anything else, a pipe for one, could block the open.
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new ModelFormatException(file, "", "is not a file");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new ModelFormatException(file, "", "does not exist, expected a file of the model's folder", e);
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "cannot be read: " + ModelFormatException.quote(e.toString()), e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new ModelFormatException(file, "", "is too long for a config, expected at most 1 MiB");
        }
        List<JsonValue> root = new ArrayList<>();
        JsonText.read(
                file, "", new ByteArrayInputStream(bytes), MAX_BYTES, MAX_TEXT, json -> root.add(JsonText.value(json)));
        if (root.getFirst() instanceof JsonObject object) {
            return new JsonFields(file, "", object);
        }
        throw new ModelFormatException(file, "", "is " + root.getFirst().shown() + ", expected an object");
    }

    /**
     * The object in a line of a file of lines, one JSON value a line.
     *
     * @param number of the line, from 1, for messages
     * @throws ModelFormatException if the line is anything but one JSON object in UTF-8
     */
    public static JsonFields readLine(Path file, int number, byte[] line) {
        String where = "line " + number;
        List<JsonValue> root = new ArrayList<>();
        JsonText.read(
                file,
                where,
                new ByteArrayInputStream(line),
                line.length,
                line.length,
                json -> root.add(JsonText.value(json)));
        if (root.getFirst() instanceof JsonObject object) {
            return new JsonFields(file, where + ": ", object);
        }
        throw new ModelFormatException(file, where, "is " + root.getFirst().shown() + ", expected an object");
    }

    /**
     * The object in a JSON file that is no config: longer, but bounded too.
     *
     * @throws ModelFormatException if it can't be read, is no JSON object or has more than 64 MiB
     */
    public static JsonFields readDocument(Path file) {
        List<JsonValue> root = new ArrayList<>();
        try (InputStream in = Files.newInputStream(file)) {
            JsonText.read(file, "", in, ChatJson.MAX_LENGTH, ChatJson.MAX_TEXT, json -> root.add(JsonText.value(json)));
        } catch (NoSuchFileException e) {
            throw new ModelFormatException(file, "", "does not exist", e);
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "can't be read: " + ModelFormatException.quote(e.toString()), e);
        }
        if (root.getFirst() instanceof JsonObject object) {
            return new JsonFields(file, "", object);
        }
        throw new ModelFormatException(file, "", "is " + root.getFirst().shown() + ", expected an object");
    }

    /** The value of a field, null when it is unset. */
    @Nullable
    JsonValue find(String name) {
        JsonValue value = object.fields().get(name);
        return value instanceof JsonNull ? null : value;
    }

    public boolean has(String name) {
        return find(name) != null;
    }

    /** A whole number in {@code [min, max]}. */
    public int whole(String name, int min, int max) {
        return whole(name, object.fields().get(name), min, max);
    }

    /** As {@link #whole(String, int, int)}, or {@code unset}. */
    int whole(String name, int min, int max, int unset) {
        return has(name) ? whole(name, min, max) : unset;
    }

    private int whole(String where, @Nullable JsonValue value, int min, int max) {
        if (value instanceof JsonNumber(var text) && text.matches("-?[0-9]{1,10}")) {
            long number = Long.parseLong(text);
            if (number >= min && number <= max) {
                return (int) number;
            }
        }
        throw refusal(where, value, "a whole number from " + min + " to " + max);
    }

    /** A whole number of 64 bits. */
    public long wholeLong(String name) {
        if (find(name) instanceof JsonNumber(var text) && text.matches("-?[0-9]{1,19}")) {
            BigInteger number = new BigInteger(text);
            if (number.bitLength() < Long.SIZE) {
                return number.longValue();
            }
        }
        throw refusal(name, "a whole number of 64 bits");
    }

    /** A list of whole numbers in {@code [min, max]}, empty when unset. */
    public List<Integer> wholes(String name, int min, int max) {
        List<Integer> numbers = new ArrayList<>();
        for (JsonValue item : list(name)) {
            numbers.add(whole(element(name, numbers.size()), item, min, max));
        }
        return numbers;
    }

    /** A number above 0 and up to {@code max}. */
    public double positive(String name, double max) {
        double value = number(name);
        if (value > 0 && value <= max) {
            return value;
        }
        throw refusal(name, "a positive number up to " + max);
    }

    /** As {@link #positive(String, double)}, or {@code unset}. */
    double positive(String name, double max, double unset) {
        return has(name) ? positive(name, max) : unset;
    }

    /** A number from 0 to {@code max}, or {@code unset}. */
    public double zeroOrMore(String name, double max, double unset) {
        double value = has(name) ? number(name) : unset;
        if (value >= 0 && value <= max) {
            return value;
        }
        throw refusal(name, "a number from 0 to " + max);
    }

    /** The number in a field, infinite if it is too large; NaN, which is within no bounds, if it is none. */
    private double number(String name) {
        return find(name) instanceof JsonNumber(var text) ? Double.parseDouble(text) : Double.NaN;
    }

    /** A string. */
    public String text(String name) {
        if (find(name) instanceof JsonString(var text)) {
            return text;
        }
        throw refusal(name, "a string");
    }

    /** A boolean. */
    boolean flag(String name) {
        if (find(name) instanceof JsonBool(var value)) {
            return value;
        }
        throw refusal(name, "true or false");
    }

    /** A boolean, or {@code unset}. */
    public boolean flag(String name, boolean unset) {
        return switch (find(name)) {
            case null -> unset;
            case JsonBool(var value) -> value;
            default -> throw refusal(name, "true or false");
        };
    }

    /** One of {@code words}; the first when unset. */
    String word(String name, String... words) {
        return has(name) ? word(name, find(name), words) : words[0];
    }

    /** A list of {@code words}; empty when unset. */
    List<String> words(String name, String... words) {
        List<String> found = new ArrayList<>();
        for (JsonValue item : list(name)) {
            found.add(word(element(name, found.size()), item, words));
        }
        return found;
    }

    private String word(String where, @Nullable JsonValue value, String... words) {
        if (value instanceof JsonString(var text) && List.of(words).contains(text)) {
            return text;
        }
        throw refusal(
                where, value, Stream.of(words).map(ModelFormatException::quote).collect(Collectors.joining(" or ")));
    }

    /** One constant of {@code type} per layer, each written as its name in lower case. */
    <E extends Enum<E>> List<E> perLayer(String name, int layers, Class<E> type) {
        String[] words = Stream.of(type.getEnumConstants())
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toArray(String[]::new);
        List<String> found = words(name, words);
        if (found.size() != layers) {
            throw refusal(name, "a list of " + layers + " (num_hidden_layers)");
        }
        return found.stream()
                .map(word -> Enum.valueOf(type, word.toUpperCase(Locale.ROOT)))
                .toList();
    }

    /** A token id below {@code vocabSize}; empty when unset. */
    OptionalInt tokenId(String name, int vocabSize) {
        return has(name) ? OptionalInt.of(whole(name, 0, vocabSize - 1)) : OptionalInt.empty();
    }

    /** One token id or a list of them, as an ascending list; empty when unset. */
    List<Integer> tokenIds(String name, int vocabSize) {
        if (find(name) instanceof JsonNumber) {
            return List.of(whole(name, 0, vocabSize - 1));
        }
        return List.copyOf(new TreeSet<>(wholes(name, 0, vocabSize - 1)));
    }

    /** A list, empty when unset. */
    List<JsonValue> list(String name) {
        return switch (find(name)) {
            case null -> List.of();
            case JsonArray(var items) -> items;
            default -> throw refusal(name, "a list");
        };
    }

    /** The object in a field, null when unset. */
    public @Nullable JsonFields child(String name) {
        return switch (find(name)) {
            case null -> null;
            case JsonObject child -> new JsonFields(file, path + name + ".", child);
            default -> throw refusal(name, "an object");
        };
    }

    /** The objects in a list, empty when unset. */
    public List<JsonFields> children(String name) {
        List<JsonFields> children = new ArrayList<>();
        for (JsonValue item : list(name)) {
            String element = element(name, children.size());
            if (!(item instanceof JsonObject child)) {
                throw refusal(element, item, "an object");
            }
            children.add(new JsonFields(file, path + element + ".", child));
        }
        return children;
    }

    /** Refuses every field but these, for an object in which nothing may be passed over. */
    public void allow(String... names) {
        for (String name : object.fields().keySet()) {
            if (!List.of(names).contains(name)) {
                throw refusal(name, "no field but " + String.join(", ", names));
            }
        }
    }

    /** Refuses a field unless it is unset or false: it asks for something that Hotrow does not run. */
    void refuseIfSet(String name) {
        JsonValue value = find(name);
        if (value != null && !value.equals(new JsonBool(false))) {
            throw refusal(name, "no such setting: Hotrow does not run it");
        }
    }

    /** The refusal of a field that is not what was expected. */
    public ModelFormatException refusal(String name, String expected) {
        return refusal(name, object.fields().get(name), expected);
    }

    private ModelFormatException refusal(String where, @Nullable JsonValue value, String expected) {
        String found = value == null ? "is missing" : "is " + value.shown();
        return new ModelFormatException(file, path + where, found + ", expected " + expected);
    }

    /** The refusal of a field that contradicts {@code other}, a field of {@code fields} in the same file. */
    ModelFormatException contradiction(String name, JsonFields fields, String other) {
        String reason = "what " + fields.path + other + " says: " + shown(fields.find(other));
        return refusal(name, reason);
    }

    private static String shown(@Nullable JsonValue value) {
        return value == null ? "nothing" : value.shown();
    }

    private static String element(String name, int index) {
        return name + "[" + index + "]";
    }
}
