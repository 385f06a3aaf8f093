package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TerminalTypeTest {
    @Test
    void whatIsKnownIsTakenAsItIs() {
        assertThat(TerminalType.of("xterm")).isEqualTo("xterm");
        assertThat(TerminalType.of("screen-256color")).isEqualTo("screen-256color");
    }

    @Test
    void whatIsUnknownIsLikeXtermOrDumb() {
        assertThat(TerminalType.of("xterm-of-tomorrow")).isEqualTo("xterm-256color");
        assertThat(TerminalType.of("no-such-terminal")).isEqualTo("dumb");
        assertThat(TerminalType.of("../../etc")).isEqualTo("dumb");
        assertThat(TerminalType.of("")).isEqualTo("dumb");
        assertThat(TerminalType.of(null)).isEqualTo("dumb");
    }
}
