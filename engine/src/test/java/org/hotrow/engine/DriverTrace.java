package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The calls of the last step in a trace of the CUDA driver, a line each; the nodes of replayed graphs are indented.
 *
 * <pre>
 * ... | copies to the device | launches of recorded graphs | copies to the host | copies to the device ... | end
 *       inside of a step ------------------------------------^
 * </pre>
 */
record DriverTrace(List<String> inside, List<String> after) {
    private static final Pattern CALL = Pattern.compile("\\[cuda] (\\w+)(.*)");
    private static final Pattern BYTES = Pattern.compile("bytes=(\\d+)");

    /** @throws IllegalArgumentException if no recorded graph was launched */
    static DriverTrace lastStep(List<String> trace) {
        List<String> calls =
                trace.stream().filter(line -> CALL.matcher(line).matches()).toList();
        int last = calls.size() - 1;
        while (last >= 0 && !name(calls.get(last)).equals("cuGraphLaunch")) {
            last--;
        }
        if (last < 0) {
            throw new IllegalArgumentException("no graph is launched in " + calls.size() + " calls");
        }
        int first = last;
        while (first > 0 && !name(calls.get(first - 1)).startsWith("cuMemcpyDtoH")) {
            first--;
        }
        return new DriverTrace(calls.subList(first, last + 1), calls.subList(last + 1, calls.size()));
    }

    static String name(String call) {
        Matcher matcher = CALL.matcher(call);
        return matcher.matches() ? matcher.group(1) : "";
    }

    /** Calls inside of the step whose names begin so. */
    List<String> inside(String... names) {
        List<String> found = new ArrayList<>();
        for (String call : inside) {
            for (String name : names) {
                if (name(call).startsWith(name)) {
                    found.add(call);
                }
            }
        }
        return found;
    }

    /** Bytes that these calls copy. */
    static long bytes(List<String> calls) {
        return calls.stream()
                .map(BYTES::matcher)
                .filter(Matcher::find)
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
    }
}
