package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KernelTest {
    private static final Path CHECKOUT = Path.of("..");

    private static Kernel named(String name) {
        return Kernel.all(CHECKOUT).stream()
                .filter(kernel -> kernel.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aKernelIsKnownByNameFileFloorAndPtx() {
        Kernel residual = named("residual");
        assertThat(residual.floor()).isEqualTo("8 T width bytes read, 4 T width written; T width additions");
        assertThat(residual.description()).contains("into[t][i] += update[t][i]");
        assertThat(residual.methods()).containsExactly("add");
        assertThat(residual.ptx()).isEmpty();
        assertThat(named("radix-top-k").ptx()).contains(Path.of("tornado-kernels/generated/top-k.ptx"));
        assertThat(named("sparse-mla-split").ptx()).isEmpty();
        assertThat(named("scored-resolver").methods()).contains("HotScores::choose", "HotScores::makeRoom");
    }

    @Test
    void allOfThemHaveAFileAndADescription() {
        List<Kernel> kernels = Kernel.all(CHECKOUT);
        assertThat(kernels).hasSizeGreaterThan(20).allSatisfy(kernel -> {
            assertThat(CHECKOUT.resolve(kernel.file())).isRegularFile();
            assertThat(kernel.description()).isNotEmpty();
            assertThat(String.join("\n", kernel.description())).doesNotContain("<pre>", "{@", "\n\n\n");
            assertThat(kernel.methods()).isNotEmpty();
        });
        assertThat(kernels.stream().filter(kernel -> !kernel.floor().isEmpty())).hasSizeGreaterThan(18);
    }

    @Test
    void aFloorIsALineWhateverWayItIsWritten() {
        assertThat(named("argmax").floor()).isEqualTo("4 T tokens bytes read, 4 T written");
        assertThat(named("expert-linear").floor())
                .isEqualTo("active x (outputs x inputs + 4 scales) + 4 x (rows or pairs) inputs bytes read,"
                        + " 4 pairs outputs written; pairs outputs inputs multiply-adds");
        assertThat(named("sparse-mla").floor())
                .isEqualTo("bytes per token: rows k * row bytes, ids 4 * k, query 4 * heads * width,"
                        + " out 4 * heads * latent");
        assertThat(named("radix-top-k").floor())
                .isEqualTo("bytes per token: scores 4 * (position + 1), selected 4 * k");
        assertThat(named("row-gather").floor())
                .isEqualTo("row bytes read from the host, row bytes written and 8 bytes of list read, per load and"
                        + " layer");
        assertThat(named("kv-row-write").floor()).isEqualTo("4 T (latent + rope) bytes read, a row written for each");
    }

    @Test
    void withoutACheckoutThereAreNone(@TempDir Path folder) {
        assertThat(Kernel.all(folder)).isEmpty();
        assertThat(Files.exists(folder.resolve(Kernel.SOURCES))).isFalse();
    }
}
