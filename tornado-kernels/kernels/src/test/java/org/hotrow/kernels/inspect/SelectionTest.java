package org.hotrow.kernels.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users type behind {@code bin/meter} and {@code bin/inspect}. */
class SelectionTest {
    @TempDir
    Path directory;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream errors = new ByteArrayOutputStream();

    private static PrintStream to(ByteArrayOutputStream stream) {
        return new PrintStream(stream, true, StandardCharsets.UTF_8);
    }

    private int run(String program, String... arguments) throws Exception {
        List<String> all = List.of(arguments);
        return program.equals("meter")
                ? MeterMain.run(all, to(out), to(errors))
                : InspectMain.run(all, to(out), to(errors));
    }

    private Selection select(String... arguments) {
        return Objects.requireNonNull(Selection.of("meter", List.of(arguments), to(errors)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"meter", "inspect"})
    void anUnknownOperationIsAnErrorThatNamesTheKnownOnes(String program) throws Exception {
        Path nowhere = directory.resolve("nowhere");

        assertThat(run(program, nowhere.toString(), "residual", "fp8_linear")).isEqualTo(2);

        assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .startsWith(program + ": no operation fp8_linear: there are fp8-linear, ")
                .contains(" residual, ", " row-resolver, ", " sparse-mla, ")
                .hasLineCount(1);
        assertThat(nowhere).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"meter", "inspect"})
    void withoutADirectoryThereIsNothingToDo(String program) throws Exception {
        assertThat(run(program)).isEqualTo(2);

        assertThat(errors.toString(StandardCharsets.UTF_8))
                .isEqualToIgnoringNewLines("usage: " + program + " DIRECTORY [OPERATION...]");
    }

    @Test
    void withoutNamesAllOperationsAreSelected() {
        Selection selection = select("somewhere");

        assertThat(selection.directory()).isEqualTo(Path.of("somewhere"));
        assertThat(selection.launches()).hasSameSizeAs(Production.launches().keySet());
    }

    @Test
    void operationsKeepTheirOrderAndAreNamedAsTheyAreKnown() {
        Selection selection = select("somewhere", "router", "residual");

        assertThat(selection.launches())
                .extracting(Supplier::get)
                .extracting(Launch::name)
                .containsExactly("residual", "router");
    }

    @Test
    @DisabledIfEnvironmentVariable(named = "TORNADOVM_HOME", matches = ".+", disabledReason = "needs the emulator")
    void theMeterSaysWhatAnOperationMovesAgainstItsFloor() throws Exception {
        assertThat(run("meter", directory.toString(), "residual")).isZero();

        // 16 rows of 6,144 floats, twice read and once written, and the number of rows.
        assertThat(out.toString(StandardCharsets.UTF_8)
                        .lines()
                        .map(line -> line.strip().replaceAll(" +", " ")))
                .containsExactly(
                        "task groups barriers requested unique sectors conflicts together floor partials verdict",
                        "residual.add 384 0 1572864 1179652 93% 0",
                        "residual 1572864 1179652 93% 1179652 1179648 0 1.00 x");
        assertThat(Files.readString(directory.resolve("residual.bytes"))).isEqualTo("1179652 93%\n");
    }

    @Test
    @DisabledIfEnvironmentVariable(named = "TORNADOVM_HOME", matches = ".+", disabledReason = "needs the emulator")
    void aMissedBarIsExplainedOrCalledTooMuch() throws Exception {
        assertThat(run("meter", directory.toString(), "expert-groups")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8).lines().toList().getLast())
                .startsWith("  * each of 8 warps reads the number of rows");
        Launch launch = select("somewhere", "residual").launches().getFirst().get();
        assertThat(launch.keepsTheBar(launch.floorBytes(), 0.8)).isTrue();
        assertThat(launch.keepsTheBar(launch.floorBytes() * 106 / 100, 0.8)).isFalse();
        assertThat(launch.keepsTheBar(launch.floorBytes() * 106 / 100 + 50_000, 0.8))
                .isFalse();
        assertThat(launch.withPartials(50_000).keepsTheBar(launch.floorBytes() * 104 / 100 + 50_000, 0.8))
                .isTrue();
        assertThat(launch.keepsTheBar(launch.floorBytes(), 0.79)).isFalse();
    }
}
