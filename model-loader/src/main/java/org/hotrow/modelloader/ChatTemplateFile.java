package org.hotrow.modelloader;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.hotrow.modelloader.template.Template;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * What a model folder says about its chat template.
 *
 * <pre>
 *   chat_template.jinja      the template, if there is this file
 *   tokenizer_config.json    "chat_template": "..." or [{"name": "default", "template": "..."}, ...]
 *                            "bos_token", "eos_token" and other names with "_token": "..." or {"content": "...", ...}
 * </pre>
 *
 * @param source the text of the template
 * @param origin the file that it comes from
 * @param tokens the special tokens by their name, such as {@code bos_token}
 */
public record ChatTemplateFile(String source, Path origin, Map<String, String> tokens) {
    private static final String TEMPLATE_FILE = "chat_template.jinja";
    private static final String CONFIG_FILE = "tokenizer_config.json";
    private static final String TEMPLATE_FIELD = "chat_template";
    private static final int MAX_BYTES = 1 << 20;
    private static final long MAX_CONFIG_LENGTH = 32L << 20;

    public ChatTemplateFile {
        tokens = Map.copyOf(tokens);
    }

    /**
     * Reads the template and the special tokens of the model in {@code folder}.
     *
     * @throws ModelFormatException if there is no template, or a file is too large or broken
     */
    public static ChatTemplateFile read(Path folder) {
        return find(folder)
                .orElseThrow(() -> new ModelFormatException(
                        folder,
                        "",
                        "has no chat template; expected a file " + TEMPLATE_FILE + " or a field " + TEMPLATE_FIELD
                                + " in " + CONFIG_FILE));
    }

    /**
     * As {@link #read}, for a model that may have no template.
     *
     * @throws ModelFormatException if a file is too large or broken
     */
    public static Optional<ChatTemplateFile> find(Path folder) {
        Path config = folder.resolve(CONFIG_FILE);
        Config found = Files.exists(config) ? readConfig(config) : new Config();
        Path file = folder.resolve(TEMPLATE_FILE);
        if (Files.exists(file)) {
            return Optional.of(new ChatTemplateFile(readText(file), file, found.tokens));
        }
        return Optional.ofNullable(found.template)
                .map(template -> new ChatTemplateFile(template, config, found.tokens));
    }

    private static String readText(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new ModelFormatException(file, "", "has more than " + MAX_BYTES + " bytes");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ModelFormatException(file, "", "is not UTF-8", e);
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "can't be read: " + e.getMessage(), e);
        }
    }

    /** The fields of a tokenizer configuration that matter here. */
    private static final class Config {
        private final Map<String, String> tokens = new LinkedHashMap<>();
        private @Nullable String template;
    }

    private static Config readConfig(Path file) {
        Config config = new Config();
        try (InputStream in = Files.newInputStream(file)) {
            JsonText.read(file, "", in, MAX_CONFIG_LENGTH, Template.MAX_SOURCE, json -> readConfig(file, json, config));
        } catch (IOException e) {
            throw new ModelFormatException(file, "", "can't be read: " + e.getMessage(), e);
        }
        return config;
    }

    private static void readConfig(Path file, JsonParser json, Config config) {
        expect(file, "", json, JsonToken.START_OBJECT, "an object");
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals(TEMPLATE_FIELD)) {
                config.template = readTemplate(file, json);
            } else if (name.endsWith("_token") && value == JsonToken.VALUE_STRING) {
                config.tokens.put(name, json.getString());
            } else if (name.endsWith("_token") && value == JsonToken.START_OBJECT) {
                config.tokens.put(name, stringMember(file, name, json, "content"));
            } else {
                json.skipChildren();
            }
        }
    }

    /** The one template, or of several the one named {@code default}. */
    private static @Nullable String readTemplate(Path file, JsonParser json) {
        switch (json.currentToken()) {
            case VALUE_NULL -> {
                return null;
            }
            case VALUE_STRING -> {
                return json.getString();
            }
            default -> expect(file, TEMPLATE_FIELD, json, JsonToken.START_ARRAY, "a text or a list of templates");
        }
        String found = null;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(file, TEMPLATE_FIELD, json, JsonToken.START_OBJECT, "an object with name and template");
            Map<String, String> entry = stringMembers(json);
            if ("default".equals(entry.get("name"))) {
                found = entry.get("template");
            }
        }
        if (found == null) {
            throw JsonText.refusal(file, TEMPLATE_FIELD, json, "has no template named \"default\"");
        }
        return found;
    }

    private static String stringMember(Path file, String field, JsonParser json, String name) {
        String value = stringMembers(json).get(name);
        if (value == null) {
            throw JsonText.refusal(file, field, json, "has no text \"" + name + "\"");
        }
        return value;
    }

    /** The text members of the object that the parser stands on; others are skipped. */
    private static Map<String, String> stringMembers(JsonParser json) {
        Map<String, String> members = new LinkedHashMap<>();
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            if (json.nextToken() == JsonToken.VALUE_STRING) {
                members.put(name, json.getString());
            } else {
                json.skipChildren();
            }
        }
        return members;
    }

    private static void expect(Path file, String field, JsonParser json, JsonToken token, String expected) {
        if (json.currentToken() != token) {
            throw JsonText.refusal(file, field, json, "expected " + expected);
        }
    }
}
