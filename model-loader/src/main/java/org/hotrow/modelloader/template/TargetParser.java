package org.hotrow.modelloader.template;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.hotrow.modelloader.template.Statement.AttributeTarget;
import org.hotrow.modelloader.template.Statement.NameTarget;
import org.hotrow.modelloader.template.Statement.Target;
import org.hotrow.modelloader.template.Statement.TupleTarget;
import org.hotrow.modelloader.template.Token.Kind;

/** Parses what is assigned to: {@code name}, {@code namespace.name}, and tuples of these. */
final class TargetParser {
    private static final Set<String> CONSTANTS = Set.of("true", "false", "none", "True", "False", "None");

    private final TokenStream tokens;

    TargetParser(TokenStream tokens) {
        this.tokens = tokens;
    }

    /**
     * One target or several with commas.
     *
     * @param attributes whether attributes of namespaces are targets too
     * @param end the name that may follow a last comma
     */
    Target target(boolean attributes, String end) {
        List<Target> targets = new ArrayList<>();
        boolean isTuple = false;
        do {
            if (isTuple && (tokens.atName(end) || tokens.atOperator(")") || tokens.atOperator("="))) {
                break;
            }
            targets.add(single(attributes));
            isTuple |= tokens.atOperator(",");
        } while (tokens.skipOperator(","));
        return isTuple ? new TupleTarget(targets) : targets.getFirst();
    }

    private Target single(boolean attributes) {
        if (tokens.skipOperator("(")) {
            tokens.descend();
            Target inside = target(attributes, "");
            tokens.ascend();
            tokens.expectOperator(")");
            return inside;
        }
        Token name = tokens.expect(Kind.NAME);
        if (CONSTANTS.contains(name.text())) {
            throw tokens.syntax(name.line(), "'" + name.text() + "' can't be assigned");
        }
        if (attributes && tokens.skipOperator(".")) {
            return new AttributeTarget(name.text(), tokens.expect(Kind.NAME).text());
        }
        return new NameTarget(name.text());
    }

    /** The names that {@code target} sets. */
    List<String> names(Target target) {
        return switch (target) {
            case NameTarget name -> List.of(name.name());
            case AttributeTarget _ -> List.of();
            case TupleTarget tuple ->
                tuple.targets().stream().flatMap(t -> names(t).stream()).toList();
        };
    }

    /** The namespaces that {@code target} changes. */
    List<String> namespaces(Target target) {
        return switch (target) {
            case NameTarget _ -> List.of();
            case AttributeTarget attribute -> List.of(attribute.object());
            case TupleTarget tuple ->
                tuple.targets().stream().flatMap(t -> namespaces(t).stream()).toList();
        };
    }
}
