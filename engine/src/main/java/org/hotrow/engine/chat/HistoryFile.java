package org.hotrow.engine.chat;

import java.nio.file.Path;
import java.util.Map;

/** Where messages are kept over restarts: {@code hotrow/history} in the state folder of the XDG specification. */
final class HistoryFile {
    private HistoryFile() {}

    /** @param environment of the process */
    static Path of(Map<String, String> environment, String home) {
        String state = environment.getOrDefault("XDG_STATE_HOME", "");
        // The specification says that a relative path is to be ignored.
        Path folder = Path.of(state).isAbsolute() ? Path.of(state) : Path.of(home, ".local", "state");
        return folder.resolve("hotrow").resolve("history");
    }
}
