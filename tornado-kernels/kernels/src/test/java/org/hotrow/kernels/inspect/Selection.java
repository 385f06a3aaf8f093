package org.hotrow.kernels.inspect;

import java.util.List;

/** The operations that a user names; all of them if none is named. */
final class Selection {
    private Selection() {}

    static List<Launch> of(List<String> names) {
        List<Launch> all = Production.launches();
        List<String> known = all.stream().map(Launch::name).toList();
        for (String name : names) {
            if (!known.contains(name)) {
                System.err.println("no operation " + name + ": there are " + String.join(", ", known));
                System.exit(2);
            }
        }
        return all.stream()
                .filter(launch -> names.isEmpty() || names.contains(launch.name()))
                .toList();
    }
}
