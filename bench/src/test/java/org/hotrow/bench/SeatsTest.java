package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.hotrow.allocator.KvGeometry;
import org.junit.jupiter.api.Test;

class SeatsTest {
    /** By hand, 80K: 17.8 GiB / (78 * 64 * 656) = 5,836 blocks, less one, by 72 index blocks and 67, 163 or 1,280 more. */
    @Test
    void printsOursBesideThePublishedOnes() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Seats.print(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        List<String> lines = bytes.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(lines)
                .hasSize(2 + 6 + 6)
                .allMatch(line -> line.matches("\\|([^|]+\\|){6}"))
                .contains(
                        "| published, rows of 576 bytes | 56 / 27 | 39 / 22 | 30 / 19 | 19 / 14 | 5 / 5 |",
                        "| GLM-5.3 | 60 / 30 | 41 / 24 | 32 / 21 | 19 / 14 | 5 / 5 |",
                        "| all resident: published, rows of 576 bytes | 12 | 4 | 3 | 1 | 0 |",
                        "| all resident: GLM-5.3 | 10 | 4 | 2 | 1 | 0 |");
    }

    /** Index pages of a block, by the architecture: 18 in one slab; 4 where every layer has an indexer. */
    @Test
    void knowsTheLayers() {
        KvGeometry glm53 = LayerMap.GLM_5_3.geometry(5000);
        assertThat(List.of(glm53.layers(), glm53.anchors(), glm53.pagesPerIndexBlock()))
                .containsExactly(78, 21, 18);
        KvGeometry mtp = LayerMap.GLM_5_3_MTP.geometry(5000);
        assertThat(List.of(mtp.layers(), mtp.anchors())).containsExactly(79, 22);
        KvGeometry glm51 = LayerMap.GLM_5_1.geometry(5000);
        assertThat(List.of(glm51.layers(), glm51.anchors(), glm51.pagesPerIndexBlock()))
                .containsExactly(78, 78, 4);
        KvGeometry deepSeek = LayerMap.DEEPSEEK_V3_2.geometry(5000);
        assertThat(List.of(deepSeek.layers(), deepSeek.anchors(), deepSeek.pagesPerIndexBlock()))
                .containsExactly(61, 61, 4);
    }
}
