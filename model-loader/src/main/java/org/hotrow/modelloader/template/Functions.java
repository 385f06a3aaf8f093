package org.hotrow.modelloader.template;

import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The functions that every template has. */
final class Functions {
    private Functions() {}

    static Map<String, TemplateValue> all(Rendering run) {
        return Map.of(
                "range", function("range", arguments -> range(run, arguments)),
                "dict", function("dict", arguments -> new DictValue(members(run, "dict", arguments))),
                "namespace", function("namespace", arguments -> namespace(run, arguments)),
                "raise_exception", function("raise_exception", arguments -> raise(run, arguments)),
                "strftime_now", function("strftime_now", arguments -> now(run, arguments)));
    }

    private static CallableValue function(String name, CallableValue.Body body) {
        return new CallableValue(name, body);
    }

    private static RangeValue range(Rendering run, Arguments arguments) {
        BoundArguments bound = Parameters.positional(1, "start", "stop", "step").bind(run, "range", arguments);
        boolean onlyStop = bound.find(1) == null;
        BigInteger start = onlyStop ? BigInteger.ZERO : bound.integer(0, 0);
        BigInteger stop = bound.integer(onlyStop ? 0 : 1, 0);
        BigInteger step = bound.integer(2, 1);
        if (step.signum() == 0) {
            throw run.runtime("a range with step zero");
        }
        BigInteger distance = step.signum() > 0 ? stop.subtract(start) : start.subtract(stop);
        BigInteger count = distance.signum() <= 0
                ? BigInteger.ZERO
                : distance.subtract(BigInteger.ONE).divide(step.abs()).add(BigInteger.ONE);
        if (count.compareTo(BigInteger.valueOf(run.limits().range())) > 0) {
            throw run.limit("a range of more than " + run.limits().range() + " numbers");
        }
        return new RangeValue(start, stop, step, count.intValueExact());
    }

    /** The members that {@code dict(mapping or pairs, name=value, ...)} makes. */
    private static Map<Object, DictValue.Entry> members(Rendering run, String callee, Arguments arguments) {
        if (arguments.positional().size() > 1) {
            throw run.runtime(callee + " takes one argument by position, not "
                    + arguments.positional().size());
        }
        Map<Object, DictValue.Entry> members = new LinkedHashMap<>();
        for (TemplateValue given : arguments.positional()) {
            if (given instanceof DictValue dict) {
                run.charge(dict.size());
                members.putAll(dict.members());
            } else {
                Iteration.items(run, given).forEach(pair -> {
                    List<? extends TemplateValue> items = Iteration.items(run, pair);
                    if (items.size() != 2) {
                        throw run.runtime(callee + " needs pairs, not " + items.size() + " items");
                    }
                    DictValue.put(members, HashKey.of(run, items.get(0)), items.get(0), items.get(1));
                });
            }
        }
        arguments.named().forEach((name, value) -> DictValue.put(members, name, TemplateText.untrusted(name), value));
        return members;
    }

    private static NamespaceValue namespace(Rendering run, Arguments arguments) {
        NamespaceValue namespace = new NamespaceValue();
        for (DictValue.Entry member : members(run, "namespace", arguments).values()) {
            if (member.key() instanceof TemplateText name) {
                namespace.set(name.chars(), member.value());
            }
        }
        return namespace;
    }

    private static TemplateValue raise(Rendering run, Arguments arguments) {
        BoundArguments bound = Parameters.of(1, "message").bind(run, "raise_exception", arguments);
        String message = Printing.text(run, bound.get(0)).chars();
        throw run.fail(TemplateException.Kind.RAISE, message);
    }

    private static TemplateText now(Rendering run, Arguments arguments) {
        BoundArguments bound = Parameters.of(1, "format").bind(run, "strftime_now", arguments);
        return DateFormat.format(run, bound.text(0).chars(), run.clock());
    }
}
