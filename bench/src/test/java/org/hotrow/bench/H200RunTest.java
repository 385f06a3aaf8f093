package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hotrow.engine.Model;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H200RunTest {
    @TempDir
    private Path folder;

    @Test
    void aSectionGetsItsLimitOrWhatIsLeft() {
        SectionBudget budget = new SectionBudget(Duration.ofSeconds(100), 5);
        Duration limit = Duration.ofSeconds(60);

        assertThat(budget.next(limit, 5)).isEqualTo(limit);
        assertThat(budget.next(limit, 5 + 40_000_000_000L)).isEqualTo(limit);
        assertThat(budget.next(limit, 5 + 70_000_000_000L)).isEqualTo(Duration.ofSeconds(30));
        assertThat(budget.next(limit, 5 + 130_000_000_000L)).isEqualTo(Duration.ZERO);
    }

    private boolean fits(long archiveBytes, ByteArrayOutputStream said) throws IOException {
        Path archive = folder.resolve("jdk.tar.xz");
        try (RandomAccessFile file = new RandomAccessFile(archive.toFile(), "rw")) {
            file.setLength(archiveBytes);
        }
        Files.writeString(folder.resolve("a"), "12345");
        try (PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8)) {
            return TreeSize.check(folder, List.of("a", "deleted", ""), List.of(archive), out);
        }
    }

    @Test
    void aTreeOf64MebibytesFitsAndAByteMoreIsRefusedWithTheNumbers() throws IOException {
        ByteArrayOutputStream said = new ByteArrayOutputStream();

        assertThat(fits((64 << 20) - 5, said)).isTrue();
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("tree 5 + archives 67,108,859 = 67,108,864 bytes");
        assertThat(fits((64 << 20) - 4, said)).isFalse();
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("67,108,865 bytes of 67,108,864")
                .contains("1 bytes too many");
    }

    @Test
    void refusesWrongArguments() {
        List<String> sections = List.of("self-test", "goldens");

        assertThat(H200Options.parse(sections, "root", "--smoke", "out", "--only", "goldens"))
                .extracting(H200Options::smoke, H200Options::only, o -> o.out().toString())
                .containsExactly(true, List.of("goldens"), "out");
        assertThatThrownBy(() -> H200Options.parse(sections, "root", "out", "--fast"))
                .hasMessage("--fast: unknown argument");
        assertThatThrownBy(() -> H200Options.parse(sections, "root", "out", "--only", "x"))
                .hasMessage("--only: 'x', expected one of self-test, goldens");
        assertThatThrownBy(() -> H200Options.parse(sections, "root", "out", "--only"))
                .hasMessageContaining("expected one of");
        assertThatThrownBy(() -> H200Options.parse(sections, "root")).hasMessageContaining("got [root]");
    }

    private static int script(Path log, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bench/bin/h200"));
        command.addAll(List.of(arguments));
        return TimedCommand.run(Path.of(".."), log, Duration.ofSeconds(20), command)
                .exit();
    }

    @Test
    void theScriptRefusesWrongArgumentsBeforeItDoesAnything() throws IOException, InterruptedException {
        Path log = folder.resolve("log");

        assertThat(script(log)).isEqualTo(2);
        assertThat(script(log, "unpack")).isEqualTo(2);
        assertThat(Files.readString(log)).contains("h200: unpack: expected pack or run");
        assertThat(script(log, "pack", "now")).isEqualTo(2);
        assertThat(script(log, "run", "--out")).isEqualTo(2);
    }

    @Test
    void aCommandIsEndedWithItsChildrenWhenItsTimeIsUp() throws IOException, InterruptedException {
        Path log = folder.resolve("log");
        TimedCommand late = TimedCommand.run(
                folder,
                log,
                Duration.ofMillis(300),
                List.of("sh", "-c", "(sleep 1.5; touch late) & echo early; wait; sleep 60"));
        TimedCommand failed = TimedCommand.run(
                folder, log, Duration.ofSeconds(20), List.of("sh", "-c", "echo out; echo why >&2; exit 3"));

        assertThat(late.stopped()).isTrue();
        assertThat(late.out()).isEqualTo("early\n");
        Thread.sleep(2_000);
        assertThat(folder.resolve("late")).as("of a child").doesNotExist();
        assertThat(late.seconds()).isLessThan(50);
        assertThat(failed)
                .extracting(TimedCommand::exit, TimedCommand::out, TimedCommand::errors)
                .containsExactly(3, "out\n", "why");
        assertThat(log).content().contains("out").contains("why");
    }

    /** Also that the engine takes it for a model. */
    @Test
    void theSliceCountsTheBytesOfAStep() throws IOException {
        SliceModel.TINY.write(folder);
        long experts = 4L * 8 * 3 * (256 * 128 + 4 * 2);
        try (Model model = Model.open(folder)) {
            assertThat(model.config().contextLength()).isEqualTo(1 << 20);
            long all = Files.size(folder.resolve("model.safetensors"));
            long embedding = 512 * 256 * 2;
            long cache = 4L * 64 * 656 + 100 * 132;
            assertThat(SliceModel.TINY.stepBytes(100))
                    .isBetween(all - embedding + cache - 65_536, all - embedding + cache);
            assertThat(all).isGreaterThan(experts);
        }
        // Twice as many experts of which as many are chosen: a router of twice the size.
        SliceModel more = new SliceModel(256, 2, 128, 64, 64, 128, 16, 512, 64);
        assertThat(more.stepBytes(100) - SliceModel.TINY.stepBytes(100)).isEqualTo(4 * 8 * (2 * 256 + 4));
    }

    @Test
    void goldensAreThoseOfTheEngine() throws IOException {
        H200Golden demo = H200Golden.demo(Path.of("..")).first(8);
        H200Golden sparse = H200Golden.sparse(Path.of(".."));

        assertThat(demo.prompt()).hasSize(6);
        assertThat(demo.tokens()).hasSize(8);
        assertThat(sparse.prompt()).hasSize(160);
        assertThat(sparse.tokens()).hasSize(16).allMatch(id -> id >= 0 && id < 384);
        assertThat(sparse.first(100)).isEqualTo(sparse);
    }

    @Test
    void readsNestedJson() {
        assertThat(JsonTree.object("{\"a\":[1,2.5,{\"b\":\"c\"}],\"d\":{}}"))
                .isEqualTo(Map.of("a", List.of(1L, 2.5, Map.of("b", "c")), "d", Map.of()));
    }
}
