package org.hotrow.bench;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.DefaultPrettyPrinter;

/**
 * Results of a run, {@code h200.json} and {@code h200.md}, written anew after each section so that a run that is killed
 * keeps what it has. A figure that wasn't measured on a GPU says {@value #NOT_RUN}.
 */
final class H200Report {
    static final String NOT_RUN = "not run";

    /**
     * What became of a section.
     *
     * @param status {@code passed}, {@code failed}, {@code out of time} or {@value #NOT_RUN}
     * @param checked what was compared, or what is wrong
     * @param figures by name, with their units
     */
    record Section(String name, String status, double seconds, String checked, Map<String, String> figures) {}

    private final Map<String, String> machine;
    private final Map<String, Section> sections = new LinkedHashMap<>();
    private final List<KernelTime> kernels = new ArrayList<>();

    /** @param names of the sections to come */
    H200Report(Map<String, String> machine, List<String> names) {
        this.machine = machine;
        names.forEach(name -> sections.put(name, new Section(name, NOT_RUN, 0, "", Map.of())));
    }

    void add(Section section) {
        sections.put(section.name(), section);
    }

    void add(List<KernelTime> times) {
        kernels.addAll(times);
    }

    boolean passed() {
        return sections.values().stream()
                .allMatch(section ->
                        section.status().equals("passed") || section.status().equals(NOT_RUN));
    }

    /** Writes both files. */
    void write(Path folder) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(folder.resolve("h200.json"), json());
        Files.writeString(folder.resolve("h200.md"), markdown());
    }

    String json() {
        StringWriter text = new StringWriter();
        ObjectWriteContext pretty = new ObjectWriteContext.Base() {
            @Override
            public DefaultPrettyPrinter getPrettyPrinter() {
                return new DefaultPrettyPrinter();
            }
        };
        try (JsonGenerator json = new JsonFactory().createGenerator(pretty, text)) {
            json.writeStartObject();
            json.writeObjectPropertyStart("machine");
            machine.forEach(json::writeStringProperty);
            json.writeEndObject();
            json.writeArrayPropertyStart("sections");
            sections.values().forEach(section -> write(json, section));
            json.writeEndArray();
            json.writeArrayPropertyStart("kernels");
            kernels.forEach(time -> write(json, time));
            json.writeEndArray();
            json.writeEndObject();
        }
        return text + "\n";
    }

    private static void write(JsonGenerator json, Section section) {
        json.writeStartObject();
        json.writeStringProperty("name", section.name());
        json.writeStringProperty("status", section.status());
        json.writeNumberProperty("seconds", Math.round(section.seconds()));
        json.writeStringProperty("checked", section.checked());
        json.writeObjectPropertyStart("figures");
        section.figures().forEach(json::writeStringProperty);
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void write(JsonGenerator json, KernelTime time) {
        json.writeStartObject();
        json.writeStringProperty("kernel", time.kernel());
        json.writeStringProperty("at", time.at());
        json.writeNumberProperty("floor_bytes", time.floorBytes());
        json.writeNumberProperty("partial_bytes", time.partialBytes());
        json.writeNumberProperty("link_bytes", time.linkBytes());
        json.writeNumberProperty("unwritten_words", time.unwrittenWords());
        json.writeNumberProperty("sampled_values", time.sampled());
        json.writeStringProperty("problem", time.problem());
        if (time.timed()) {
            json.writeNumberProperty("median_us", rounded(time.medianNanos() / 1e3));
            json.writeNumberProperty("spread", rounded(time.spread()));
            json.writeNumberProperty("floor_us", rounded(time.floorNanos() / 1e3));
            json.writeNumberProperty("gb_per_s", rounded(time.bytesPerSecond() / 1e9));
            json.writeArrayPropertyStart("times_ns");
            time.nanos().forEach(json::writeNumber);
            json.writeEndArray();
        } else {
            for (String figure : List.of("median_us", "spread", "floor_us", "gb_per_s", "times_ns")) {
                json.writeStringProperty(figure, NOT_RUN);
            }
        }
        json.writeEndObject();
    }

    private static double rounded(double value) {
        return Math.round(value * 1e3) / 1e3;
    }

    String markdown() {
        StringBuilder text = new StringBuilder("# On an H200, by `bench/bin/h200`\n\n");
        machine.forEach((name, value) ->
                text.append("* ").append(name).append(": ").append(value).append('\n'));
        text.append("\n| section | status | seconds | checked | figures |\n|---|---|---|---|---|\n");
        for (Section section : sections.values()) {
            List<String> figures = new ArrayList<>();
            section.figures().forEach((name, value) -> figures.add(name + " " + value));
            row(
                    text,
                    section.name(),
                    section.status(),
                    "%.0f".formatted(section.seconds()),
                    section.checked(),
                    String.join("; ", figures));
        }
        text.append(
                        "\nTimes are medians of executions of one plan, by TornadoVM's profiler, the second-level cache overwritten")
                .append(
                        " before each. Floor: bytes at 4.8 TB/s of memory, or at 64 GB/s of the link if that takes longer.\n\n")
                .append("| kernel | at | outputs | time | spread | floor | time / floor | GB/s |\n")
                .append("|---|---|---|---|---|---|---|---|\n");
        kernels.forEach(time -> row(text, time));
        return text.toString();
    }

    private static void row(StringBuilder text, KernelTime time) {
        String outputs = time.right()
                ? "all written, " + time.sampled() + " as the reference"
                : time.problem().isEmpty() ? time.unwrittenWords() + " words not written" : time.problem();
        if (!time.timed()) {
            row(text, time.kernel(), time.at(), outputs, NOT_RUN, NOT_RUN, NOT_RUN, NOT_RUN, NOT_RUN);
            return;
        }
        row(
                text,
                time.kernel(),
                time.at(),
                outputs,
                micros(time.medianNanos()),
                one(100 * time.spread()) + " %",
                micros(time.floorNanos()),
                time.floorNanos() == 0
                        ? "-"
                        : String.format(Locale.ROOT, "%.2f", time.medianNanos() / time.floorNanos()),
                one(time.bytesPerSecond() / 1e9));
    }

    static String micros(double nanos) {
        return one(nanos / 1e3) + " us";
    }

    static String one(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }

    private static void row(StringBuilder text, String... cells) {
        text.append("| ").append(String.join(" | ", cells).replace("\n", " ")).append(" |\n");
    }
}
