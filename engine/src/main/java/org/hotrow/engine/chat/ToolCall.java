package org.hotrow.engine.chat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A tool call as GLM models write it.
 *
 * <pre>
 * NAME &lt;arg_key>K&lt;/arg_key>&lt;arg_value>V&lt;/arg_value> ...
 * </pre>
 */
final class ToolCall {
    private static final Pattern ARGUMENT =
            Pattern.compile("<arg_key>(.*?)</arg_key>\\s*<arg_value>(.*?)</arg_value>", Pattern.DOTALL);

    private ToolCall() {}

    /** A call on one line: {@code tool call: NAME(K = V, ...)}. */
    static String shown(String call) {
        int end = call.indexOf("<arg_key>");
        String name = end < 0 ? call : call.substring(0, end);
        List<String> arguments = new ArrayList<>();
        Matcher argument = ARGUMENT.matcher(call);
        while (argument.find()) {
            arguments.add(argument.group(1) + " = " + argument.group(2));
        }
        return "tool call: " + name.strip() + "(" + String.join(", ", arguments) + ")";
    }
}
