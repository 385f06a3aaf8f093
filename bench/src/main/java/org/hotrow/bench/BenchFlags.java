package org.hotrow.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Our own flags, before JMH's.
 *
 * @param profile {@code --quick} or not
 * @param json {@code --json FILE}: where results go
 * @param rest JMH's
 */
record BenchFlags(Profile profile, Path json, List<String> rest) {
    private static final Path JSON = Path.of("target", "bench.json");

    BenchFlags {
        rest = List.copyOf(rest);
    }

    /** @throws IllegalArgumentException if a flag has no value */
    static BenchFlags parse(String... args) {
        Profile profile = Profile.FULL;
        Path json = JSON;
        List<String> rest = new ArrayList<>();
        for (int i = 0; i < args.length; i++) {
            switch (args[i]) {
                case "--quick" -> profile = Profile.QUICK;
                case "--json" -> {
                    if (++i == args.length) {
                        throw new IllegalArgumentException("--json: a file is missing");
                    }
                    json = Path.of(args[i]);
                }
                default -> rest.add(args[i]);
            }
        }
        return new BenchFlags(profile, json, rest);
    }
}
