package org.hotrow.bench;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * A run of benchmarks in a file:
 *
 * <pre>
 * {"format": "hotrow-bench-1",
 *  "about": {"commit": ..., "started": ..., "cpu": ..., "jdk": ..., "flags": ..., ...},
 *  "benchmarks": [
 *   {"name": "Linear multiply", "parameters": {"rows": "1"}, "unit": "us/op", "samples": [...],
 *    "others": {"bytes": [12582912, "B/op"]}},
 *   ...]}
 * </pre>
 *
 * @param about what its machine, JDK, flags, commit were, by name
 */
record BenchRun(Map<String, String> about, List<Measured> benchmarks) {
    /** Names in {@link #about}. */
    static final String COMMIT = "commit";

    static final String PROFILE = "profile";
    static final String CPU = "cpu";
    static final String PROCESSORS = "processors";
    static final String MEMORY = "memory";
    static final String SYSTEM = "system";
    static final String JDK = "jdk";
    static final String OTHERS = "taken_by_others";

    private static final String FORMAT = "hotrow-bench-1";
    private static final int DIGITS = 6;

    BenchRun {
        about = Collections.unmodifiableMap(new LinkedHashMap<>(about));
        benchmarks = List.copyOf(benchmarks);
    }

    /** Writes a line for each benchmark. */
    void write(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        try (JsonGenerator json =
                new JsonFactory().createGenerator(ObjectWriteContext.empty(), file.toFile(), JsonEncoding.UTF8)) {
            json.writeStartObject();
            json.writeStringProperty("format", FORMAT);
            json.writeRaw("\n");
            json.writeObjectPropertyStart("about");
            about.forEach(json::writeStringProperty);
            json.writeEndObject();
            json.writeRaw("\n");
            json.writeArrayPropertyStart("benchmarks");
            for (Measured measured : benchmarks) {
                json.writeRaw("\n");
                write(json, measured);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeRaw("\n");
        }
    }

    private static void write(JsonGenerator json, Measured measured) {
        json.writeStartObject();
        json.writeStringProperty("name", measured.name());
        json.writeObjectPropertyStart("parameters");
        measured.parameters().forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeStringProperty("unit", measured.unit());
        json.writeArrayPropertyStart("samples");
        measured.samples().forEach(sample -> json.writeNumber(rounded(sample)));
        json.writeEndArray();
        json.writeObjectPropertyStart("others");
        measured.others().forEach((label, other) -> {
            json.writeArrayPropertyStart(label);
            json.writeNumber(rounded(other.value()));
            json.writeString(other.unit());
            json.writeEndArray();
        });
        json.writeEndObject();
        json.writeEndObject();
    }

    private static double rounded(double value) {
        return value == 0 || !Double.isFinite(value)
                ? value
                : new BigDecimal(value).round(new MathContext(DIGITS)).doubleValue();
    }

    /** @throws IllegalArgumentException if a file is not such a run, naming it */
    static BenchRun read(Path file) throws IOException {
        try {
            return of(JsonTree.object(Files.readString(file, StandardCharsets.UTF_8)));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException(
                    file + ": not a result of bench/bin/bench (" + e.getMessage() + "); write one by --json FILE", e);
        }
    }

    private static BenchRun of(Map<String, Object> tree) {
        if (!FORMAT.equals(tree.get("format"))) {
            throw new IllegalArgumentException("format is " + tree.get("format") + ", expected " + FORMAT);
        }
        List<Measured> benchmarks = new ArrayList<>();
        for (Object entry : (List<?>) field(tree, "benchmarks")) {
            Map<?, ?> fields = (Map<?, ?>) entry;
            Map<String, Measured.Other> others = new LinkedHashMap<>();
            ((Map<?, ?>) field(fields, "others")).forEach((label, pair) -> others.put((String) label, other(pair)));
            benchmarks.add(new Measured(
                    (String) field(fields, "name"),
                    strings(field(fields, "parameters")),
                    (String) field(fields, "unit"),
                    ((List<?>) field(fields, "samples"))
                            .stream().map(BenchRun::number).toList(),
                    others));
        }
        return new BenchRun(strings(field(tree, "about")), benchmarks);
    }

    private static Object field(Map<?, ?> fields, String name) {
        Object value = fields.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + " is missing");
        }
        return value;
    }

    private static Measured.Other other(Object pair) {
        List<?> valueAndUnit = (List<?>) pair;
        return new Measured.Other(number(valueAndUnit.getFirst()), (String) valueAndUnit.getLast());
    }

    /** JSON has no NaN; our own files have it as a string. */
    private static double number(Object value) {
        return value instanceof Number number ? number.doubleValue() : Double.parseDouble((String) value);
    }

    private static Map<String, String> strings(Object tree) {
        Map<String, String> strings = new LinkedHashMap<>();
        ((Map<?, ?>) tree).forEach((key, value) -> strings.put((String) key, (String) value));
        return strings;
    }

    /** What of the machine and its software differs from another run's: {@code jdk: 25.0.3 / 25.0.4}. */
    List<String> differences(BenchRun other) {
        return List.of(CPU, PROCESSORS, MEMORY, SYSTEM, JDK, PROFILE, COMMIT).stream()
                .filter(name -> !about(name).equals(other.about(name)))
                .map(name -> name + ": " + about(name) + " / " + other.about(name))
                .toList();
    }

    String about(String name) {
        return about.getOrDefault(name, "unknown");
    }
}
