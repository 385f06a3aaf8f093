package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A file of more than 400 lines holds two concepts. */
class SourceLengthTest {
    private static final int MAX_LINES = 400;

    @Test
    void noFileHasMoreThan400Lines() throws IOException {
        List<Path> sources;
        try (Stream<Path> files = Files.walk(Path.of(".."), 20)) {
            sources = files.filter(file -> file.toString().endsWith(".java")
                            && !file.toString().contains("target"))
                    .toList();
        }
        assertThat(sources).hasSizeGreaterThan(100);
        for (Path source : sources) {
            assertThat(Files.readAllLines(source)).as(source.toString()).hasSizeLessThanOrEqualTo(MAX_LINES);
        }
    }
}
