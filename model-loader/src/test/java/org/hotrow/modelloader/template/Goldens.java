package org.hotrow.modelloader.template;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.hotrow.modelloader.ChatJson;
import org.jspecify.annotations.Nullable;

/** The committed goldens of chat templates, made with the reference implementation of Jinja. */
final class Goldens {
    private static final String DEFAULT_NOW = "2026-03-05T09:07:03";

    private Goldens() {}

    static List<DictValue> cases() {
        return objects(ChatJson.read(file("cases.json")));
    }

    static List<DictValue> snippets() {
        DictValue features = (DictValue) ChatJson.read(file("features.json"));
        return objects(Objects.requireNonNull(features.get("snippets")));
    }

    /** Random templates: one context and snippets with their output. */
    static DictValue random() {
        return (DictValue) ChatJson.read(file("random.json"));
    }

    static Template template(String name) {
        try {
            return Template.compile(Files.readString(file(name)), name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String text(DictValue object, String name) {
        return ((TemplateText) Objects.requireNonNull(object.get(name), name)).chars();
    }

    static Map<String, TemplateValue> context(DictValue golden) {
        Map<String, TemplateValue> context = new LinkedHashMap<>();
        if (golden.get("context") instanceof DictValue given) {
            given.entries().forEach(entry -> context.put(((TemplateText) entry.key()).chars(), entry.value()));
        }
        return context;
    }

    static Clock clock(DictValue golden) {
        @Nullable TemplateValue now = golden.get("now");
        String time = now instanceof TemplateText text ? text.chars() : DEFAULT_NOW;
        return Clock.fixed(LocalDateTime.parse(time).toInstant(ZoneOffset.UTC), ZoneOffset.UTC);
    }

    static List<DictValue> objects(TemplateValue list) {
        return ((SequenceValue) list)
                .items().stream().map(DictValue.class::cast).toList();
    }

    private static Path file(String name) {
        try {
            return Path.of(Objects.requireNonNull(Goldens.class.getResource("/chat-templates/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
