package org.hotrow.engine.chat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.hotrow.engine.CacheReport;
import org.hotrow.engine.EngineException;
import org.hotrow.engine.Generator;
import org.hotrow.engine.Model;
import org.hotrow.engine.ModelShape;
import org.hotrow.engine.Nearest;
import org.hotrow.engine.Ops;
import org.hotrow.engine.RequestException;
import org.jspecify.annotations.Nullable;

/** What {@code /show} shows, each topic as lines. */
final class Show {
    /** The topics. */
    static final List<String> TOPICS = List.of("model", "config", "kv", "kernels", "kernel", "memory");

    private static final int FEWEST_LINES = 8;

    private final Model model;
    private final Generator generator;
    private final Path folder;
    private final String device;
    private final @Nullable Path checkout;

    /**
     * @param folder of the model
     * @param device what computes, a few words
     * @param checkout that the launcher runs from, if it said so
     */
    Show(Model model, Generator generator, Path folder, String device, @Nullable Path checkout) {
        this.model = model;
        this.generator = generator;
        this.folder = folder;
        this.device = device;
        this.checkout = checkout;
    }

    /** What it is called: the name of its folder. */
    String modelName() {
        return folder.toAbsolutePath().normalize().getFileName().toString();
    }

    /** The model: where it is from, its shape, its parameters. */
    List<String> model() {
        List<String> lines = new ArrayList<>();
        lines.add("folder       " + folder.toAbsolutePath().normalize());
        lines.addAll(ModelShape.shape(model.config()));
        lines.addAll(ModelShape.parameters(model));
        return lines;
    }

    /** How it runs. */
    List<String> config() {
        CacheReport cache = generator.cacheReport();
        var generation = model.generation();
        return List.of(
                "device       " + device,
                "cache        " + cache.format().flags(),
                "blocks       " + Units.count(cache.blocks()) + " of 64 tokens on the device, "
                        + Units.count(cache.hostPages()) + " pages on the host",
                "policy       " + Setting.word(cache.policy()) + ", " + Units.count(cache.hotRows())
                        + " hot rows of a conversation that has lost pages",
                "guesses      " + guesses(),
                "stop ids     " + generation.eosIds(),
                "sampling     generation_config.json: "
                        + (generation.doSample()
                                ? "temperature " + generation.temperature() + ", top_p " + generation.topP()
                                : "greedy"));
    }

    private String guesses() {
        int most = generator.speculation().speculativeTokens();
        return most == 0 ? "none" : "up to " + most + " tokens ahead, by the MTP layer";
    }

    /** What takes memory. */
    List<String> memory() {
        CacheReport cache = generator.cacheReport();
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        List<String> lines = new ArrayList<>(generator.deviceMemory());
        lines.addAll(List.of(
                "weights      " + Units.bytes(generator.weightBytes()),
                "cache        " + Units.bytes(cache.deviceBytes()) + " in " + Units.count(cache.blocks()) + " blocks",
                "host pool    " + Units.bytes(cache.hostBytes()) + " in " + Units.count(cache.hostPages()) + " pages",
                "Java heap    " + Units.bytes(heap.getUsed()) + " used, " + Units.bytes(heap.getCommitted())
                        + " taken, at most " + Units.bytes(heap.getMax())));
        return lines;
    }

    /** Where the pages were at the last token, and what the cache has done. */
    List<String> kv(@Nullable LastAnswer last, int width) {
        Optional<List<String>> picture = Optional.ofNullable(last)
                .flatMap(answer ->
                        answer.pages().map(pages -> KvView.lines(pages, generator.cacheReport(), answer.kv(), width)));
        return picture.orElse(List.of("no answer yet, so the conversation has no pages; "
                + Units.count(generator.cacheReport().blocks()) + " blocks, "
                + Setting.word(generator.cacheReport().policy())));
    }

    /** What computes on this device, and the kernels of the other one. */
    List<String> kernels(int width) {
        List<String> lines = new ArrayList<>();
        lines.add("device cpu runs no kernel; it computes these operations in Java (CpuOps):");
        String operations = String.join(
                " ",
                Arrays.stream(Ops.class.getMethods())
                        .filter(method -> method.getReturnType() == void.class)
                        .map(Method::getName)
                        .sorted()
                        .distinct()
                        .toList());
        lines.add("  " + operations);
        List<Kernel> kernels = known();
        if (kernels.isEmpty()) {
            lines.add(missing());
            return lines;
        }
        lines.add("kernels for TornadoVM, in " + Kernel.SOURCES + " (name, file, floor):");
        for (Kernel kernel : kernels) {
            String floor = kernel.floor().isEmpty() ? "see the file" : kernel.floor();
            String line = String.format(
                    "  %-18s %-22s %s", kernel.name(), kernel.file().getFileName(), floor);
            lines.add(line.length() < width ? line : line.substring(0, Math.max(1, width - 2)) + "…");
        }
        return lines;
    }

    /**
     * One kernel: its file, its comment, and as much of its PTX as a terminal has room for below them.
     *
     * @param rows of the terminal; 0 for all of it
     * @throws RequestException if there is none of that name
     */
    List<String> kernel(String name, int rows) {
        List<Kernel> kernels = known();
        if (kernels.isEmpty()) {
            throw new RequestException(missing());
        }
        List<String> names = kernels.stream().map(Kernel::name).toList();
        Kernel kernel = kernels.stream()
                .filter(known -> known.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RequestException("unknown kernel " + name
                        + Nearest.of(name, names)
                                .map(near -> ", did you mean " + near + "?")
                                .orElse(": /show kernels lists them")));
        List<String> lines = new ArrayList<>();
        lines.add("file      " + kernel.file());
        lines.add("methods   " + String.join(", ", kernel.methods()));
        lines.add("floor     " + (kernel.floor().isEmpty() ? "see below" : kernel.floor()));
        lines.add("");
        lines.addAll(kernel.description());
        lines.add("");
        lines.addAll(kernel.ptx()
                .map(ptx -> ptx(ptx, rows, lines.size()))
                .orElse(List.of(
                        "PTX       none is committed; where there is an SDK, tornado-kernels/bin/inspect makes it")));
        return lines;
    }

    /** Where the PTX is and its first lines, as many as fit; all of them without a terminal. */
    private List<String> ptx(Path file, int rows, int above) {
        List<String> all = read(file);
        List<String> lines = new ArrayList<>();
        lines.add("PTX       " + file + ", " + Units.counted(all.size(), "line"));
        if (rows == 0) {
            lines.addAll(all);
            return lines;
        }
        // Below them come the line that counts the others and the prompt.
        List<String> code = all.stream()
                .dropWhile(line -> !line.contains(".entry"))
                .filter(line -> !line.isBlank() && !line.startsWith("\t.param"))
                .limit(Math.max(FEWEST_LINES, rows - above - 3))
                .toList();
        lines.addAll(code);
        lines.add("... the rest is in the file");
        return lines;
    }

    private List<Kernel> known() {
        return checkout == null ? List.of() : Kernel.all(checkout);
    }

    private String missing() {
        return checkout == null
                ? "the kernels' sources are not known: start by engine/bin/hotrow of a checkout"
                : "the kernels' sources are missing: expected " + checkout.resolve(Kernel.SOURCES);
    }

    private List<String> read(Path file) {
        try {
            return Files.readAllLines(Objects.requireNonNull(checkout).resolve(file));
        } catch (IOException e) {
            throw new EngineException(file + ": can't be read: " + e);
        }
    }
}
