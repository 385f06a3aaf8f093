package org.hotrow.kernels.inspect;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a user has asked for: {@code DIRECTORY [NAME ...]}.
 *
 * @param directory for files
 * @param launches of the named operations, of all if none is named
 */
record Selection(Path directory, List<Supplier<Launch>> launches) {
    /** Exit code of a program whose arguments are wrong. */
    static final int USAGE = 2;

    /** Reads arguments; says what is wrong with them and returns null if something is. */
    static @Nullable Selection of(String program, List<String> arguments, PrintStream errors) {
        if (arguments.isEmpty()) {
            errors.println("usage: " + program + " DIRECTORY [OPERATION...]");
            return null;
        }
        Map<String, Supplier<Launch>> all = Production.launches();
        List<String> names = arguments.subList(1, arguments.size());
        for (String name : names) {
            if (!all.containsKey(name)) {
                errors.println(program + ": no operation " + name + ": there are " + String.join(", ", all.keySet()));
                return null;
            }
        }
        List<Supplier<Launch>> launches = all.entrySet().stream()
                .filter(entry -> names.isEmpty() || names.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .toList();
        return new Selection(Path.of(arguments.getFirst()), launches);
    }
}
