package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** What a step asks of the CUDA driver once its graphs are recorded. */
class DriverTraceTest {
    private static final String[] ALLOCATIONS = {
        "cuMemAlloc", "cuMemFree", "cuMemHost", "cuModule", "cuGraphInstantiate", "cuStreamBeginCapture", "cuLinkCreate"
    };

    private static final List<String> TRACE = List.of(
            "[cuda] cuMemAlloc bytes=64 -> 0x1",
            "[cuda] cuGraphLaunch 0x7 nodes=3",
            "[cuda] cuMemcpyDtoHAsync dst=0x2 src=0x1 bytes=64",
            "[cuda] cuStreamSynchronize 0x3",
            "[cuda] cuMemcpyHtoDAsync dst=0x1 src=0x2 bytes=24",
            "[cuda] cuGraphLaunch 0x7 nodes=3",
            "[cuda]   cuLaunchKernel add grid=(1,1,1)",
            "[cuda] cuGraphLaunch 0x8 nodes=2",
            "[cuda] cuStreamSynchronize 0x3",
            "[cuda] cuMemcpyDtoHAsync dst=0x2 src=0x1 bytes=64",
            "[cuda] cuMemFree 0x1");

    @TempDir
    private Path folder;

    @Test
    void theLastStepBeginsBehindTheResultsOfTheOneBefore() {
        DriverTrace step = DriverTrace.lastStep(TRACE);
        assertThat(step.inside("cuGraphLaunch")).hasSize(2);
        assertThat(step.inside(ALLOCATIONS)).isEmpty();
        assertThat(DriverTrace.bytes(step.inside("cuMemcpyHtoD"))).isEqualTo(24);
        assertThat(step.after()).hasSize(3);
    }

    @Test
    void anAllocationInsideIsFound() {
        List<String> trace = new ArrayList<>(TRACE);
        trace.add(5, "[cuda] cuMemAlloc bytes=8 -> 0x9");
        assertThat(DriverTrace.lastStep(trace).inside(ALLOCATIONS)).containsExactly("[cuda] cuMemAlloc bytes=8 -> 0x9");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DriverTrace.lastStep(List.of("[cuda] cuMemAlloc bytes=8 -> 0x9")));
    }

    /** On a driver that traces, which has to be told before the process starts. */
    @Test
    @EnabledIfEnvironmentVariable(named = "CUDA_ON_CPU_HOME", matches = ".+")
    void aReplayedStepLaunchesItsGraphsAndAllocatesNothing() throws IOException, InterruptedException {
        Path trace = folder.resolve("trace");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> !argument.startsWith("-javaagent"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TracedSteps.class.getName()));
        ProcessBuilder process = new ProcessBuilder(command).redirectErrorStream(true);
        process.environment().put("CUDA_ON_CPU_TRACE", trace.toString());
        Process running = process.start();
        String said = new String(running.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(running.waitFor()).as(said).isZero();

        DriverTrace step = DriverTrace.lastStep(Files.readAllLines(trace));
        assertThat(step.inside(ALLOCATIONS)).isEmpty();
        assertThat(step.inside("cuMemcpyDtoH")).isEmpty();
        List<String> launches = step.inside("cuGraphLaunch");
        assertThat(launches).hasSizeBetween(1, 24).doesNotHaveDuplicates();
        long up = DriverTrace.bytes(step.inside("cuMemcpyHtoD"));
        assertThat(up).isBetween(1L, 16_384L);
        System.out.printf(
                "%s%d recorded graphs, %d kernels launched beside them, %d copies of %,d bytes to the device,"
                        + " %d synchronisations; %d calls after them%n",
                said,
                launches.size(),
                step.inside("cuLaunchKernel").size(),
                step.inside("cuMemcpyHtoD").size(),
                up,
                step.inside("cuStreamSynchronize", "cuCtxSynchronize").size(),
                step.after().size());
    }
}
