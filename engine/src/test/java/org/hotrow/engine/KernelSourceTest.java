package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.tornado.Variant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --print-kernel} where there is no TornadoVM; with one the source is checked by hand. */
class KernelSourceTest {
    private static CommandRun run(String device, String kernel) {
        return CommandRun.hotrow(
                "generate",
                "--device",
                device,
                "--model",
                DemoGolden.MODEL.toString(),
                "--prompt",
                "x",
                "--print-kernel",
                kernel);
    }

    @Test
    void knowsTheKernelsThatTheSelfTestRunsAndTheirFiles() {
        try (DeviceArrays arrays = new EmulatedArrays(true);
                CheckBench bench = new CheckBench(arrays, Variant.PORTABLE)) {
            assertThat(SelfTest.checks(bench, CacheFormat.of(KvDtype.FP8), Set.of(8, 16)))
                    .extracting(KernelCheck::kernel)
                    .containsAll(KernelSource.KERNELS)
                    .isSubsetOf(KernelSource.KERNELS);
        }
        for (String kernel : KernelSource.KERNELS) {
            assertThat(Files.exists(Path.of("..").resolve(KernelSource.java(kernel))))
                    .as(KernelSource.java(kernel))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "cpu, fp8-linear, runs no kernels",
        "emulated, fp8-linear, tornado/Fp8Linear.java",
        "emulated, radix-top-k, tornado/RadixTopK.java",
        "cpu, fp8-liner, did you mean fp8-linear?",
        "tornado, rowgather, did you mean row-gather?",
        "cpu, nothing-like-it, 'expected one of bf16-linear, embedding'"
    })
    void saysWhatToDoInstead(String device, String kernel, String told) {
        CommandRun run = run(device, kernel);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("--print-kernel " + kernel).contains(told);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void needsTornadoVm() {
        assertThat(run("tornado", "fp8-linear").code()).isEqualTo(Hotrow.NO_DEVICE);
    }
}
