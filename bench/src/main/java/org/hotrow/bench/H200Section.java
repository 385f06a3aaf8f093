package org.hotrow.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** One section of {@link H200}: its commands, and what their output says. */
final class H200Section {
    private static final List<String> MATRICES_AND_ATTENTION =
            List.of("fp8-linear", "index-scores", "top-k", "sparse-mla", "sparse-mla-tensor", "expert-linear");
    private static final int SMOKE_TOKENS = 8;
    private static final int SLICE_CONTEXT = 4_096;
    private static final int SLICE_TOKENS = 64;

    private final String name;
    private final H200Options options;
    private final Duration limit;
    private final long start;
    private final H200Report report;

    /** @param start by {@link System#nanoTime} */
    H200Section(String name, H200Options options, Duration limit, long start, H200Report report) {
        this.name = name;
        this.options = options;
        this.limit = limit;
        this.start = start;
        this.report = report;
    }

    H200Report.Section run() throws IOException, InterruptedException {
        return switch (name) {
            case "self-test" -> selfTest();
            case "goldens" -> goldens();
            case "kernels" -> kernels(MATRICES_AND_ATTENTION);
            case "gather" -> kernels(List.of("row-resolver", "row-gather"));
            case "slice" -> slice();
            default -> host();
        };
    }

    H200Report.Section outOfTime() {
        return result("out of time", "", Map.of());
    }

    H200Report.Section result(String status, String checked, Map<String, String> figures) {
        return new H200Report.Section(name, status, (System.nanoTime() - start) / 1e9, checked, figures);
    }

    /** The device tests itself before it loads a model; what the model says shows that it was used. */
    private H200Report.Section selfTest() throws IOException, InterruptedException {
        H200Golden golden = H200Golden.demo(options.root()).first(options.smoke() ? SMOKE_TOKENS : Integer.MAX_VALUE);
        return compared("demo model", options.root().resolve("engine/demo-model"), golden);
    }

    private H200Report.Section goldens() throws IOException, InterruptedException {
        Path tiny = options.root().resolve("engine/src/test/resources/goldens/glm-tiny/tiny-fp8");
        return compared("sparse glm-tiny", tiny, H200Golden.sparse(options.root()), "--kv-dtype", "fp32");
    }

    private H200Report.Section compared(String what, Path model, H200Golden golden, String... more)
            throws IOException, InterruptedException {
        int tokens = golden.tokens().size();
        TimedCommand run = generate(model, golden.prompt(), tokens, "tornado", more);
        if (run.stopped() || run.exit() != 0) {
            return stopped(what, run);
        }
        Object said = answer(run).get("output_ids");
        boolean equal = golden.tokens().equals(said);
        return result(
                equal ? "passed" : "failed",
                what + ": " + tokens + " greedy tokens " + (equal ? "equal" : "differ: " + said),
                Map.of());
    }

    /** TornadoVM may have written to stdout too. */
    private static Map<String, Object> answer(TimedCommand run) {
        return run.out()
                .lines()
                .filter(line -> line.startsWith("{"))
                .findFirst()
                .map(JsonTree::object)
                .orElseThrow(() -> new IllegalStateException("no answer in: " + run.out()));
    }

    private H200Report.Section stopped(String what, TimedCommand run) {
        return run.stopped()
                ? result("out of time", what, Map.of())
                : result("failed", what + ": exit " + run.exit() + ": " + run.errors(), Map.of());
    }

    private TimedCommand generate(Path model, List<Long> prompt, int tokens, String device, String... more)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("engine/bin/hotrow", "generate", "--device", device));
        command.addAll(List.of("--model", model.toAbsolutePath().toString(), "--kv-policy", "resident", "--json"));
        command.addAll(List.of("--temperature", "0", "--ignore-eos", "--max-new-tokens", Integer.toString(tokens)));
        command.addAll(
                List.of("--prompt-ids", prompt.stream().map(String::valueOf).collect(Collectors.joining(","))));
        Collections.addAll(command, more);
        return command(command);
    }

    private TimedCommand command(List<String> command) throws IOException, InterruptedException {
        Duration left = limit.minusNanos(System.nanoTime() - start);
        return TimedCommand.run(options.root(), options.log(), left.isNegative() ? Duration.ZERO : left, command);
    }

    private H200Report.Section kernels(List<String> names) throws IOException, InterruptedException {
        Path lines = options.out().resolve(name + ".jsonl").toAbsolutePath();
        List<String> command = new ArrayList<>(List.of("tornado-kernels/bin/time", lines.toString()));
        command.add(options.smoke() ? "smoke" : "glm");
        command.add(Long.toString(Math.max(1, limit.toSeconds() - 5)));
        command.addAll(names);
        TimedCommand run = command(command);
        List<KernelTime> times = Files.exists(lines) ? KernelTime.parseAll(Files.readString(lines)) : List.of();
        Files.deleteIfExists(lines);
        if (!name.equals("host")) {
            report.add(times);
        }
        List<String> wrong = KernelTime.wrong(times);
        String what = times.size() + " sizes of " + String.join(", ", names);
        if (!wrong.isEmpty()) {
            return result("failed", String.join("; ", wrong), Map.of());
        }
        if (run.stopped() || run.exit() != 0) {
            boolean late = run.stopped() || (run.exit() == 1 && !times.isEmpty());
            return result(late ? "out of time" : "failed", what + " were right; then " + run.errors(), Map.of());
        }
        String how = name.equals("host") ? ": executed, nothing to compare" : ": all written, as the references say";
        return result("passed", what + how, figures(times));
    }

    private Map<String, String> figures(List<KernelTime> times) throws IOException, InterruptedException {
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put("clocks", H200Machine.clocks(options));
        for (KernelTime time : times) {
            boolean gather = time.kernel().equals("row-gather") && time.at().endsWith("misses 100.0 %");
            if (gather || name.equals("host")) {
                String unit = gather ? " from pinned memory" : " an execution";
                figures.put(time.at() + unit, figure(time, gather));
            }
        }
        return figures;
    }

    private static String figure(KernelTime time, boolean rate) {
        if (!time.timed()) {
            return H200Report.NOT_RUN;
        }
        return rate ? H200Report.one(time.bytesPerSecond() / 1e9) + " GB/s" : H200Report.micros(time.medianNanos());
    }

    private H200Report.Section host() throws IOException, InterruptedException {
        return kernels(List.of("host-cost"));
    }

    /** Tiny ones are compared with the CPU, which would take minutes for the other. */
    private H200Report.Section slice() throws IOException, InterruptedException {
        SliceModel model = options.smoke() ? SliceModel.TINY : SliceModel.GLM;
        int context = options.smoke() ? 2 * model.topK() : SLICE_CONTEXT;
        int tokens = options.smoke() ? 4 : SLICE_TOKENS;
        List<Long> prompt = IntStream.range(0, context)
                .mapToObj(i -> 1L + i * 31L % (model.vocabulary() - 1))
                .toList();
        Path folder = Files.createDirectories(options.root().resolve("target/h200/slice"));
        try {
            model.write(folder);
            TimedCommand run = generate(folder, prompt, tokens, "tornado");
            if (run.stopped() || run.exit() != 0) {
                return stopped("slice", run);
            }
            Map<String, Object> answer = answer(run);
            if (options.smoke()) {
                TimedCommand cpu = generate(folder, prompt, tokens, "cpu");
                Object expected = cpu.exit() == 0 ? answer(cpu).get("output_ids") : cpu.errors();
                boolean equal = answer.getOrDefault("output_ids", "").equals(expected);
                return result(
                        equal ? "passed" : "failed",
                        equal
                                ? tokens + " tokens as on the CPU"
                                : answer.get("output_ids") + ", on the CPU " + expected,
                        Map.of("decode step", H200Report.NOT_RUN));
            }
            return result("passed", "not compared", sliceFigures(model, context, tokens, answer));
        } finally {
            Files.deleteIfExists(folder.resolve("model.safetensors"));
            Files.deleteIfExists(folder.resolve("config.json"));
            Files.deleteIfExists(folder);
        }
    }

    private static Map<String, String> sliceFigures(
            SliceModel model, int context, int tokens, Map<String, Object> answer) {
        Map<?, ?> timing = (Map<?, ?>) answer.getOrDefault("timing", Map.of());
        double rate = timing.get("decode_tokens_per_s") instanceof Number number ? number.doubleValue() : 0;
        Map<String, String> figures = new LinkedHashMap<>();
        figures.put(
                "decode step, one request, context " + context + " to " + (context + tokens),
                H200Report.micros(1e9 / rate));
        double floor = 1e9 * model.stepBytes(context) / KernelTime.MEMORY_BYTES_PER_SECOND;
        figures.put("its bytes at 4.8 TB/s", H200Report.micros(floor));
        figures.put("prefill", timing.get("prefill_tokens_per_s") + " tokens/s");
        return figures;
    }
}
