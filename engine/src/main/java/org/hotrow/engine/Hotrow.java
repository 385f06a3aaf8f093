package org.hotrow.engine;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command line: {@code hotrow COMMAND}. */
@Command(
        name = "hotrow",
        mixinStandardHelpOptions = true,
        version = "hotrow 0.1.0",
        description = "Text generation with GLM-5.x class models.",
        synopsisSubcommandLabel = "COMMAND")
public final class Hotrow {
    private Hotrow() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new Hotrow()).execute(args));
    }
}
