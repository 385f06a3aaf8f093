package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.bench.Serving.Layout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimulateTest {
    @TempDir
    private Path folder;

    @Test
    void writesTableAndCurves() throws IOException {
        String trace =
                "{\"block_tokens\":64,\"turns\":[{\"t\":0,\"prompt_tokens\":130,\"output_tokens\":5,\"blocks\":[[1,2]]}]}";
        Path file = Files.writeString(folder.resolve("t.jsonl"), trace);
        Path out = folder.resolve("out");
        assertThat(Simulate.run("--trace", file.toString(), "--concurrency", "1,2", "--out", out.toString()))
                .isZero();
        List<String> csv = Files.readAllLines(out.resolve("replay.csv"));
        assertThat(csv).hasSize(1 + 2 * KvPolicy.values().length);
        assertThat(csv.getFirst()).startsWith("policy,concurrency,tok_s_user,tok_s_gpu,running,ttft_s,");
        assertThat(csv.get(1)).startsWith("hybrid,1,");
        assertThat(csv.get(1).split(",")).hasSameSizeAs(csv.getFirst().split(","));
        assertThat(ImageIO.read(out.resolve("replay.png").toFile()).getWidth()).isEqualTo(3 * 640);
    }

    @Test
    void takesAllArguments() {
        SimulateOptions options = SimulateOptions.parse(
                "--trace",
                "f",
                "--concurrency",
                "3",
                "--policy",
                "offload",
                "--layout",
                "published",
                "--mtp",
                "--no-pauses");
        assertThat(options.trace()).isEqualTo("f");
        assertThat(options.concurrencies()).containsExactly(3);
        assertThat(options.policies()).containsExactly(KvPolicy.OFFLOAD);
        assertThat(options.layout()).isEqualTo(Layout.PUBLISHED);
        assertThat(options.mtp()).isTrue();
        assertThat(options.pauses()).isFalse();
        assertThat(SimulateOptions.parse().policies()).containsExactly(KvPolicy.values());
    }

    @ParameterizedTest
    @CsvSource({
        "--concurrency, 0",
        "--concurrency, 1;x",
        "--policy, best",
        "--layout, none",
        "--out,",
        "--nonsense, 1",
    })
    void refusesBadArgumentsByName(String name, String value) {
        String[] args = value == null ? new String[] {name} : new String[] {name, value.replace(';', ',')};
        assertThatThrownBy(() -> SimulateOptions.parse(args))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(name);
        assertThat(Simulate.run(args)).isEqualTo(2);
    }

    @Test
    void aBadTraceIsNoUsageError() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.jsonl"), "{}\n");
        assertThat(Simulate.run("--trace", file.toString())).isEqualTo(1);
        assertThat(Simulate.run("--trace", folder.resolve("absent").toString())).isEqualTo(1);
    }
}
