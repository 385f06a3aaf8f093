package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HistoryFileTest {
    @Test
    void liesInTheStateFolder() {
        assertThat(HistoryFile.of(Map.of("XDG_STATE_HOME", "/state"), "/home/a"))
                .isEqualTo(Path.of("/state/hotrow/history"));
        assertThat(HistoryFile.of(Map.of(), "/home/a")).isEqualTo(Path.of("/home/a/.local/state/hotrow/history"));
        assertThat(HistoryFile.of(Map.of("XDG_STATE_HOME", "relative"), "/home/a"))
                .isEqualTo(Path.of("/home/a/.local/state/hotrow/history"));
    }
}
