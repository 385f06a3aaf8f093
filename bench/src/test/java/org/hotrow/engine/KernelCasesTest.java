package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openjdk.jmh.annotations.Param;

class KernelCasesTest {
    @BeforeAll
    static void model() {
        System.setProperty("hotrow.model", Path.of("../engine/demo-model").toString());
    }

    private static List<KernelCase> cases() {
        try (Model model = Model.open(Path.of(System.getProperty("hotrow.model")))) {
            return new KernelCases(model).all();
        }
    }

    @Test
    void areTheBenchmarksOperations() throws NoSuchFieldException {
        String[] operations = KernelBenchmark.class
                .getField("operation")
                .getAnnotation(Param.class)
                .value();
        assertThat(cases().stream().map(KernelCase::name)).containsExactly(operations);
        assertThat(KernelShapes.words().get("fp8-linear")).isEqualTo("Fp8Linear; 128 x 256 fp8");
    }

    /** Every kernel that a walk uses is in one of them. */
    @Test
    void haveAllKernelsOfTheWalk() {
        TreeSet<String> timed = cases().stream()
                .flatMap(kernel -> kernel.kernels().stream())
                .map(name -> name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(timed).containsExactlyInAnyOrderElementsOf(KernelSource.KERNELS);
    }

    @ParameterizedTest
    @ValueSource(strings = {"residual", "layer-norm", "write-index-key", "index-page-restore"})
    void runOnTheEmulatorAgainAndAgain(String operation) {
        KernelBenchmark benchmark = new KernelBenchmark();
        benchmark.operation = operation;
        benchmark.device = KernelBenchmark.EMULATED;
        benchmark.open();
        benchmark.execute();
        benchmark.execute();
        benchmark.close();
    }

    @Test
    void refuseADeviceThatIsNotThere() {
        KernelBenchmark benchmark = new KernelBenchmark();
        benchmark.operation = "residual";
        benchmark.device = KernelBenchmark.TORNADO;
        assertThatThrownBy(benchmark::open).isInstanceOf(DeviceException.class).hasMessageContaining("TORNADOVM_HOME");
        benchmark.device = "gpu";
        assertThatThrownBy(benchmark::open).hasMessage("device gpu: expected cpu, emulated or tornado");
    }
}
