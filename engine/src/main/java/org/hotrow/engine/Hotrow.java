package org.hotrow.engine;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.hotrow.engine.chat.ChatCommand;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.template.TemplateException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command line: {@code hotrow COMMAND}.
 *
 * <pre>
 * exit code  0 ok   1 run-time error   2 usage   3 model refused   4 no usable device   130 interrupted
 * </pre>
 */
@Command(
        name = "hotrow",
        mixinStandardHelpOptions = true,
        version = "hotrow 0.1.0",
        description = "Text generation with GLM-5.x class models.",
        synopsisSubcommandLabel = "COMMAND")
public final class Hotrow implements Runnable {
    /** All went well. */
    public static final int OK = 0;

    static final int RUN_TIME_ERROR = 1;
    static final int MODEL_REFUSED = 3;
    static final int NO_DEVICE = 4;

    /** Ctrl-C. */
    public static final int INTERRUPTED = 130;

    @Spec
    private @Nullable CommandSpec spec;

    private Hotrow() {}

    /** Runs one command and exits with its code. */
    public static void main(String[] args) {
        Timings timings = Timings.system();
        System.exit(run(Console.system(), timings, args));
    }

    /** Runs one command and returns its exit code. */
    static int run(Console console, Timings timings, String... args) {
        try {
            return commandLine(console, timings, args).execute(args);
        } catch (OutOfMemoryError e) {
            console.err()
                    .println("hotrow: out of memory (" + e.getMessage()
                            + "): lower --max-batched-tokens or --max-new-tokens, or give Java more by"
                            + " HOTROW_JVM_FLAGS=-Xmx...");
            return RUN_TIME_ERROR;
        }
    }

    /** Knows the called command only, or all if none is called: reading the flags of all delays the start by 25 ms. */
    private static CommandLine commandLine(Console console, Timings timings, String... args) {
        Map<String, Supplier<Callable<Integer>>> commands = new LinkedHashMap<>();
        commands.put("chat", () -> new ChatCommand(console, timings));
        commands.put("generate", () -> new GenerateCommand(console, timings));
        commands.put("export", () -> new ExportCommand(console, timings));
        commands.put("run", () -> new RunCommand(console));
        commands.put("render", () -> new RenderCommand(console));
        commands.put("info", () -> new InfoCommand(console));
        CommandLine commandLine = new CommandLine(new Hotrow());
        if (args.length > 0 && commands.containsKey(args[0])) {
            commands.keySet().retainAll(List.of(args[0]));
        }
        commands.forEach((name, command) -> commandLine.addSubcommand(name, command.get()));
        return commandLine
                .setOut(writer(console.out()))
                .setErr(writer(console.err()))
                .setExecutionExceptionHandler((e, command, parsed) -> report(e, command))
                .setParameterExceptionHandler((e, ignored) -> usage(e.getCommandLine(), e.getMessage()));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(stream, true, StandardCharsets.UTF_8);
    }

    @Override
    public void run() {
        throw new ParameterException(Objects.requireNonNull(spec).commandLine(), "a command is missing");
    }

    private static int usage(CommandLine command, @Nullable String message) {
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + message);
        command.getErr().println("Try '" + name + " --help'.");
        return CommandLine.ExitCode.USAGE;
    }

    /** The exit code of a command that ended by {@code e}. */
    static int exitCode(Exception e) {
        return switch (e) {
            case ModelFormatException ignored -> MODEL_REFUSED;
            case TemplateException template when template.kind() == TemplateException.Kind.SYNTAX -> MODEL_REFUSED;
            case DeviceException ignored -> NO_DEVICE;
            case RequestException ignored -> CommandLine.ExitCode.USAGE;
            default -> RUN_TIME_ERROR;
        };
    }

    private static int report(Exception e, CommandLine command) {
        int code = exitCode(e);
        if (code == CommandLine.ExitCode.USAGE) {
            return usage(command, e.getMessage());
        }
        var err = command.getErr();
        if (code == MODEL_REFUSED) {
            err.println("hotrow: model refused: " + e.getMessage());
            return code;
        }
        switch (e) {
            case DeviceException told -> err.println("hotrow: no usable device: " + told.getMessage());
            case EngineException told -> err.println("hotrow: " + told.getMessage());
            case TemplateException failed -> err.println("hotrow: the chat template failed: " + failed.getMessage());
            default -> {
                err.println("hotrow: internal error, please report it:");
                e.printStackTrace(err);
            }
        }
        return code;
    }
}
