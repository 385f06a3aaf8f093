package org.hotrow.kernels.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

class TimeMainTest {
    @TempDir
    private Path folder;

    private int run(ByteArrayOutputStream errors, String... arguments) throws IOException {
        try (PrintStream stream = new PrintStream(errors, true, StandardCharsets.UTF_8)) {
            return TimeMain.run(List.of(arguments), stream);
        }
    }

    @Test
    void refusesWrongArguments() throws IOException {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        String file = folder.resolve("lines").toString();

        assertThat(run(errors, file, "smoke", "10")).isEqualTo(2);
        assertThat(run(errors, file, "fast", "10", "top-k")).isEqualTo(2);
        assertThat(run(errors, file, "smoke", "soon", "top-k")).isEqualTo(2);
        assertThat(run(errors, file, "smoke", "10", "top-q")).isEqualTo(2);
        assertThat(errors.toString(StandardCharsets.UTF_8))
                .contains("usage: time")
                .contains("no operation top-q: there are fp8-linear")
                .contains("host-cost");
        assertThat(Path.of(file)).doesNotExist();
    }

    @Test
    void checksEachSizeOfAnOperation() throws IOException {
        assumeTrue(ModuleLayer.boot().findModule("tornado.drivers.common").isEmpty(), "the emulator will do");
        Path file = folder.resolve("lines");

        assertThat(run(new ByteArrayOutputStream(), file.toString(), "smoke", "100", "row-resolver", "row-gather"))
                .isZero();

        List<String> lines = Files.readAllLines(file);
        assertThat(lines).hasSize(2 * 2 * Sizes.MISSES.size());
        assertThat(lines)
                .allSatisfy(line ->
                        assertThat(line).contains("\"unwritten_words\":0,", "\"problem\":\"\"", "\"times_ns\":[]}"));
        assertThat(lines.getLast()).contains("batch 3, misses 100.0 %", "\"link_bytes\":" + 3 * 256 * 4 * 656 + ",");
    }

    @Test
    void leavesOutWhatThereIsNoTimeFor() throws IOException {
        assumeTrue(ModuleLayer.boot().findModule("tornado.drivers.common").isEmpty(), "the emulator will do");
        Path file = folder.resolve("lines");

        assertThat(run(new ByteArrayOutputStream(), file.toString(), "smoke", "0", "top-k"))
                .isEqualTo(1);

        assertThat(file).isEmptyFile();
    }

    @Test
    void countsWordsThatKeepTheirPoisonAndThoseThatLoseItInVain() {
        IntArray array = new IntArray(10);
        Timed.Written written = new Timed.Written(array, 4);
        written.poison();
        assertThat(written.left()).isEqualTo(4);
        assertThat(written.beyond()).isZero();

        for (int i = 0; i < 3; i++) {
            array.set(i, i);
        }
        assertThat(written.left()).isEqualTo(1);

        for (int i = 3; i < 6; i++) {
            array.set(i, i);
        }
        assertThat(written.left()).isZero();
        assertThat(written.beyond()).isEqualTo(2);
    }

    @Test
    void aKernelThatWritesNothingIsFound() {
        assumeTrue(ModuleLayer.boot().findModule("tornado.drivers.common").isEmpty(), "the emulator will do");
        Timed right = TimedCache.rowGather(Sizes.SMOKE, 1, 0.067);
        Launch none = Launch.of(
                "nothing",
                "",
                0,
                List.of(),
                (graph, grids) -> {},
                right.launch().arrays().getLast());
        Timed wrong = new Timed("", none, 0, List.of(), right.written(), right.sampled(), right.check());

        try (Stopwatch stopwatch = new Stopwatch(0)) {
            Stopwatch.Reading reading = stopwatch.read(wrong);

            assertThat(reading.unwrittenWords()).isEqualTo(17 * 4 * 164);
            assertThat(reading.problem()).contains("load 0, layer 0").contains("7fa5a5a5");
        }
    }
}
