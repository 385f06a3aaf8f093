package org.hotrow.kernels.inspect;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What CUDA's compiler and assembler say of a kernel: {@code nvcc} and {@code ptxas} of the path, or those that the
 * variables NVCC and PTXAS name.
 *
 * @param registers of a work-item
 * @param stackBytes of a work-item: private arrays that are not in registers
 * @param spilledBytes stored and loaded because there were too few registers
 * @param sharedBytes local memory of a group
 */
record Assembly(int registers, int stackBytes, int spilledBytes, int sharedBytes) {
    private static final String ARCHITECTURE = "-arch=sm_90";

    /** Whether both tools are there. */
    static boolean isPossible() {
        return isThere("NVCC", "nvcc") && isThere("PTXAS", "ptxas");
    }

    /** Compiles CUDA C to PTX. */
    static void compile(Path source, Path ptx) throws IOException, InterruptedException {
        run("NVCC", "nvcc", "-ptx", ARCHITECTURE, source.toString(), "-o", ptx.toString());
    }

    /** Assembles PTX of one kernel. */
    static Assembly of(Path ptx) throws IOException, InterruptedException {
        String said = run("PTXAS", "ptxas", "-v", ARCHITECTURE, ptx.toString(), "-o", "/dev/null");
        return new Assembly(
                number(said, "Used (\\d+) registers"),
                number(said, "(\\d+) bytes stack frame"),
                number(said, "(\\d+) bytes spill stores") + number(said, "(\\d+) bytes spill loads"),
                number(said, "(\\d+) bytes smem"));
    }

    /** What the compiler says of its version. */
    static String version() throws IOException, InterruptedException {
        return run("NVCC", "nvcc", "--version")
                .lines()
                .filter(line -> line.contains("release"))
                .findFirst()
                .orElse("nvcc")
                .strip();
    }

    private static int number(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
    }

    private static boolean isThere(String variable, String tool) {
        for (String directory : System.getenv("PATH").split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(directory, tool))) {
                return true;
            }
        }
        return System.getenv(variable) != null;
    }

    private static String run(String variable, String tool, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        String named = System.getenv(variable);
        command.add(named == null ? tool : named);
        command.addAll(List.of(arguments));
        Path log = Files.createTempFile("inspect", ".log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            int status = process.waitFor();
            String said = Files.readString(log, StandardCharsets.UTF_8);
            if (status != 0) {
                throw new IOException(String.join(" ", command) + " ended with " + status + ":\n" + said);
            }
            return said;
        } finally {
            Files.delete(log);
        }
    }
}
