package org.hotrow.engine;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hotrow.kernels.tornado.Variant;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;

/**
 * {@code --print-kernel}: what TornadoVM makes of a kernel's Java, CUDA C or OpenCL C, with the numbers of its checks in the
 * {@link SelfTest}, which it freezes.
 */
final class KernelSource {
    /** The kernels that walks use, each a source file of this name in camel case. */
    static final List<String> KERNELS = List.of(
            "bf16-linear",
            "embedding",
            "expert-combine",
            "expert-groups",
            "expert-linear",
            "fp8-linear",
            "guess-drop",
            "head-linear",
            "index-key-write",
            "index-page-copy",
            "index-scores",
            "kv-row-write",
            "layer-norm",
            "logits",
            "page-restore",
            "radix-top-k",
            "residual",
            "rms-norm",
            "rotary-embedding",
            "router",
            "row-copy",
            "row-gather",
            "row-join",
            "row-resolver",
            "scored-resolver",
            "sparse-mla-split",
            "swi-glu",
            "write-back");

    private static final String FOLDER = "tornado-kernels/kernels/src/main/java/org/hotrow/kernels/tornado";

    /** TornadoVM prints each source by one call. */
    private static final class Sources extends PrintStream {
        private final List<String> printed = new ArrayList<>();

        Sources() {
            super(OutputStream.nullOutputStream());
        }

        @Override
        public void println(@Nullable String source) {
            printed.add(Objects.requireNonNullElse(source, ""));
        }
    }

    private KernelSource() {}

    /**
     * Refuses a name that no kernel has.
     *
     * @throws RequestException with the one that may be meant
     */
    static void requireKnown(String kernel) {
        if (!KERNELS.contains(kernel)) {
            Optional<String> near = Nearest.of(kernel, KERNELS);
            throw new RequestException("--print-kernel " + kernel + ": no such kernel, "
                    + near.map(name -> "did you mean " + name + "?")
                            .orElse("expected one of " + String.join(", ", KERNELS)));
        }
    }

    /** Its Java source in a checkout. */
    static String java(String kernel) {
        StringBuilder name = new StringBuilder();
        for (String word : kernel.split("-", -1)) {
            // As the classes are written: RadixTopK, SparseMla.
            name.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return FOLDER + "/" + name + ".java";
    }

    /** Compiles a kernel for each of its checks, and prints the sources. */
    static void print(
            DeviceArrays arrays,
            Variant variant,
            CacheFormat format,
            Set<Integer> headBits,
            String kernel,
            PrintStream out) {
        try (CheckBench bench = new CheckBench(arrays, variant)) {
            for (KernelCheck check : SelfTest.checks(bench, format, headBits)) {
                if (check.kernel().equals(kernel)) {
                    out.println("// " + check + ", from " + java(kernel));
                    sources(arrays, check).forEach(out::println);
                }
            }
        }
    }

    private static List<String> sources(DeviceArrays arrays, KernelCheck check) {
        var recorder = new GraphRecorder(arrays, "source", false);
        recorder.add("check", check.tasks(), check.piece(), check.arrays().toArray());
        TornadoExecutionPlan plan = recorder.plan().withPrintKernel();
        PrintStream before = System.out;
        try (Sources sources = new Sources()) {
            System.setOut(sources);
            plan.withPreCompilation();
            return sources.printed.stream()
                    .filter(source -> !source.contains("touch("))
                    .toList();
        } finally {
            System.setOut(before);
            arrays.close(plan);
        }
    }
}
