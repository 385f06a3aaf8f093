package org.hotrow.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H200ReportTest {
    private static final String TIMED = """
            {"kernel":"row-gather","at":"batch 8","floor_bytes":192000,"partial_bytes":0,"link_bytes":64000,\
            "unwritten_words":0,"sampled":256,"problem":"","times_ns":[4000,1000,2000,3000,5000]}""";
    private static final String CHECKED = """
            {"kernel":"top-k","at":"batch 1","floor_bytes":480000,"partial_bytes":7,"link_bytes":0,\
            "unwritten_words":3,"sampled":16,"problem":"","times_ns":[]}""";
    private static final String BROKEN = """
            {"kernel":"top-k","at":"batch 2","problem":"out of memory"}""";

    @TempDir
    private Path folder;

    private static H200Report report() {
        return new H200Report(Map.of("driver", "none | \"x\""), List.of("self-test", "kernels"));
    }

    @Test
    void saysNotRunOfEverySectionAndFigureAtFirst() {
        H200Report report = report();
        report.add(KernelTime.parseAll(CHECKED + "\n"));

        assertThat(report.json()).contains("\"median_us\" : \"not run\"").contains("\"gb_per_s\" : \"not run\"");
        assertThat(report.markdown())
                .contains("| self-test | not run |")
                .contains(
                        "| top-k | batch 1 | 3 words not written | not run | not run | not run | not run | not run |");
        assertThat(report.passed()).isTrue();
    }

    @Test
    void printsTimesBesideTheirFloors() {
        H200Report report = report();
        report.add(KernelTime.parseAll(TIMED + "\n"));

        // 64,000 bytes of the link at 64 GB/s take 1 us, the other 128,000 of memory less.
        assertThat(report.markdown())
                .contains(
                        "| row-gather | batch 8 | all written, 256 as the reference | 3.0 us | 106.7 % | 1.0 us | 3.00 |"
                                + " 21.3 |");
        Map<String, Object> json = JsonTree.object(report.json());
        assertThat(String.valueOf(json.get("kernels")))
                .contains("median_us=3.0", "floor_us=1.0", "spread=1.067", "gb_per_s=21.333", "unwritten_words=0");
    }

    @Test
    void theFloorOfWhatStaysOnTheDeviceIsThatOfItsMemory() {
        KernelTime time = KernelTime.parse(CHECKED);

        assertThat(time.floorNanos()).isCloseTo(100, within(1e-9));
        assertThat(time.timed()).isFalse();
        assertThatThrownBy(time::medianNanos).hasMessageContaining("not timed");
    }

    @Test
    void namesWhatIsWrong() {
        List<KernelTime> times = KernelTime.parseAll(TIMED + "\n" + CHECKED + "\n" + BROKEN + "\n");

        assertThat(KernelTime.wrong(times))
                .containsExactly("top-k (batch 1): 3 words", "top-k (batch 2): out of memory");
    }

    /** The line that a killed program was writing. */
    @Test
    void leavesOutALineWithoutAnEnd() {
        assertThat(KernelTime.parseAll(TIMED + "\n" + CHECKED.substring(0, 60))).hasSize(1);
        assertThatThrownBy(() -> KernelTime.parse("{\"kernel\":\"x\"}")).hasMessageContaining("at is missing");
        assertThatThrownBy(() -> KernelTime.parse("[]")).hasMessageContaining("JSON object");
    }

    @Test
    void keepsSectionsThatEndedWhenAnotherIsKilled() throws IOException {
        H200Report report = report();
        report.write(folder);
        report.add(new H200Report.Section("self-test", "failed", 1.4, "a \"b\"\nc", Map.of("step", "2.0 us")));
        report.write(folder);

        String json = Files.readString(folder.resolve("h200.json"));
        assertThat(String.valueOf(JsonTree.object(json).get("sections")))
                .contains("name=self-test, status=failed, seconds=1, checked=a \"b\"\nc, figures={step=2.0 us}")
                .contains("name=kernels, status=not run");
        assertThat(Files.readString(folder.resolve("h200.md")))
                .contains("| self-test | failed | 1 | a \"b\" c | step 2.0 us |");
        assertThat(report.passed()).isFalse();
    }
}
