package org.hotrow.engine.chat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.EngineException;
import org.hotrow.engine.FinishReason;
import org.hotrow.engine.RequestException;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.chat.Conversation.Turn;
import org.hotrow.modelloader.JsonFields;
import org.hotrow.modelloader.ModelFormatException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A conversation in a JSON file.
 *
 * <pre>
 * format     "hotrow-chat"
 * version    1
 * model      {name, fingerprint}
 * settings   {think, temperature, top_p, top_k, min_p, seed, max_tokens, kv_policy, device_buffer_size, watch}
 * messages   [{role: system, content}, {role: user, content}, {role: assistant, content, ...}, ...]
 * </pre>
 *
 * An answer has {@code output_ids}, {@code finish_reason} and {@code thinking} besides, so that the same model goes on
 * from exactly the tokens that it said. Penalties and stop strings are those of the command that loads the file.
 *
 * @param model name of its folder
 * @param fingerprint of the model
 */
record Transcript(
        String model,
        String fingerprint,
        Settings settings,
        @Nullable String system,
        List<Turn> turns) {
    private static final String FORMAT = "hotrow-chat";
    private static final double MAX_TEMPERATURE = 1e6;

    Transcript {
        turns = List.copyOf(turns);
    }

    /**
     * Writes the file; one that was there before is replaced, or stays as it was if this fails.
     *
     * @throws EngineException if it can't be written
     */
    void save(Path file) {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new EngineException(file + ": can't be written, it is no file; choose another name");
        }
        try {
            // What a link names is replaced, not the link.
            Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
            Path folder = target.getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new EngineException(file + ": can't be written, its folder does not exist");
            }
            Path unfinished = Files.createTempFile(folder, ".hotrow-", ".json");
            try {
                write(unfinished);
                Files.move(unfinished, target, StandardCopyOption.REPLACE_EXISTING);
            } finally {
                Files.deleteIfExists(unfinished);
            }
        } catch (IOException | JacksonException | UncheckedIOException e) {
            throw new EngineException(file + ": can't be written: " + e);
        }
    }

    private void write(Path file) {
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), file.toFile(), JsonEncoding.UTF8)) {
            json.writeStartObject();
            json.writeStringProperty("format", FORMAT);
            json.writeNumberProperty("version", 1);
            json.writeObjectPropertyStart("model");
            json.writeStringProperty("name", model);
            json.writeStringProperty("fingerprint", fingerprint);
            json.writeEndObject();
            writeSettings(json);
            json.writeArrayPropertyStart("messages");
            if (system != null) {
                writeMessage(json, "system", system);
                json.writeEndObject();
            }
            for (Turn turn : turns) {
                writeTurn(json, turn);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private void writeSettings(JsonGenerator json) {
        Sampling s = settings.sampling();
        json.writeObjectPropertyStart("settings");
        json.writeBooleanProperty("think", settings.think());
        json.writeNumberProperty("temperature", s.temperature());
        json.writeNumberProperty("top_p", s.topP());
        json.writeNumberProperty("top_k", s.topK());
        json.writeNumberProperty("min_p", s.minP());
        if (settings.seed().isPresent()) {
            json.writeNumberProperty("seed", settings.seed().getAsLong());
        }
        json.writeNumberProperty("max_tokens", settings.maxTokens());
        json.writeStringProperty("kv_policy", Setting.word(settings.cache().policy()));
        if (settings.cache().hotRows().isPresent()) {
            json.writeNumberProperty(
                    "device_buffer_size", settings.cache().hotRows().getAsInt());
        }
        json.writeBooleanProperty("watch", settings.watch());
        json.writeEndObject();
    }

    private static void writeTurn(JsonGenerator json, Turn turn) {
        writeMessage(json, "user", turn.user());
        json.writeEndObject();
        writeMessage(json, "assistant", turn.said());
        json.writeArrayPropertyStart("output_ids");
        turn.outputIds().forEach(json::writeNumber);
        json.writeEndArray();
        json.writeStringProperty("finish_reason", turn.reason().word());
        json.writeBooleanProperty("thinking", turn.thinking());
        json.writeEndObject();
    }

    private static void writeMessage(JsonGenerator json, String role, String content) {
        json.writeStartObject();
        json.writeStringProperty("role", role);
        json.writeStringProperty("content", content);
    }

    /**
     * Reads a file.
     *
     * @param now the settings, for what the file doesn't say
     * @throws RequestException if it is no JSON
     * @throws ModelFormatException naming the field that is wrong
     */
    static Transcript load(Path file, Settings now) {
        JsonFields root = read(file);
        if (!root.text("format").equals(FORMAT)) {
            throw root.refusal("format", FORMAT);
        }
        root.whole("version", 1, 1);
        JsonFields model = child(root, "model");
        List<JsonFields> messages = root.children("messages");
        boolean system = !messages.isEmpty() && messages.getFirst().text("role").equals("system");
        List<Turn> turns = new ArrayList<>();
        for (int at = system ? 1 : 0; at < messages.size(); at += 2) {
            if (at + 1 == messages.size()) {
                throw root.refusal("messages", "an answer after each message of the user");
            }
            turns.add(turn(messages.get(at), messages.get(at + 1)));
        }
        return new Transcript(
                model.text("name"),
                model.text("fingerprint"),
                settings(child(root, "settings"), now),
                system ? messages.getFirst().text("content") : null,
                turns);
    }

    private static JsonFields read(Path file) {
        if (Files.isDirectory(file)) {
            throw new RequestException(file + ": is a folder, expected a file that /save wrote");
        }
        try {
            return JsonFields.readDocument(file);
        } catch (ModelFormatException e) {
            if (e.getCause() instanceof JacksonException) {
                throw new RequestException(file + ": is no JSON, expected a file that /save wrote");
            }
            throw e;
        }
    }

    private static JsonFields child(JsonFields root, String name) {
        @Nullable JsonFields child = root.child(name);
        if (child == null) {
            throw root.refusal(name, "an object");
        }
        return child;
    }

    private static Turn turn(JsonFields user, JsonFields answer) {
        if (!user.text("role").equals("user")) {
            throw user.refusal("role", "user");
        }
        if (!answer.text("role").equals("assistant")) {
            throw answer.refusal("role", "assistant");
        }
        String word = answer.text("finish_reason");
        FinishReason reason = Arrays.stream(FinishReason.values())
                .filter(known -> known.word().equals(word))
                .findFirst()
                .orElseThrow(() -> answer.refusal("finish_reason", "stop, length or cancelled"));
        return new Turn(
                user.text("content"),
                answer.flag("thinking", true),
                answer.wholes("output_ids", 0, Integer.MAX_VALUE),
                answer.text("content"),
                reason);
    }

    private static Settings settings(JsonFields json, Settings now) {
        Sampling sampling = now.sampling()
                .withTemperature(json.zeroOrMore(
                        "temperature", MAX_TEMPERATURE, now.sampling().temperature()))
                .withMinP(json.zeroOrMore("min_p", 1, now.sampling().minP()));
        if (json.has("top_p")) {
            sampling = sampling.withTopP(json.positive("top_p", 1));
        }
        if (json.has("top_k")) {
            sampling = sampling.withTopK(json.whole("top_k", 0, Integer.MAX_VALUE));
        }
        CacheOptions cache = now.cache()
                .withHotRows(
                        json.has("device_buffer_size")
                                ? OptionalInt.of(json.whole("device_buffer_size", 1, Integer.MAX_VALUE))
                                : OptionalInt.empty());
        Settings read = new Settings(
                sampling,
                json.has("seed") ? OptionalLong.of(json.wholeLong("seed")) : OptionalLong.empty(),
                json.has("max_tokens") ? json.whole("max_tokens", 1, Integer.MAX_VALUE) : now.maxTokens(),
                json.flag("think", now.think()),
                json.flag("watch", now.watch()),
                cache);
        return json.has("kv_policy") ? Setting.KV_POLICY.set(read, json.text("kv_policy")) : read;
    }
}
