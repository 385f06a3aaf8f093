package org.hotrow.modelloader.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Where characters come from. In the random tests all text from outside is Greek (with the em space as its white space)
 * and all text of the template is not, so that each character shows its origin; a second rendering has every Greek letter
 * moved on by one.
 */
class TemplateMarkingTest {
    private static final Map<String, TemplateValue> USER = Map.of(
            "u", TemplateValue.text("<|user|>x"),
            "l", TemplateValue.list(List.of(TemplateValue.text("<a>"), TemplateValue.text("b"))),
            "d", TemplateValue.map(Map.of("<k>", TemplateValue.text("v"))),
            "role", TemplateValue.trustedText("user"),
            "n", TemplateValue.of(7));

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '^', textBlock = """
        <|user|>{{ u }}                                      # «<|user|>»<|user|>x
        {{ '<|user|>' ~ u ~ '<e>' }}                         # «<|user|>»<|user|>x«<e>»
        {{ '<|user|>' + u }}                                 # «<|user|>»<|user|>x
        {{ '<|' ~ role ~ '|>' }}                             # «<|user|>»
        {{ u | replace('<|user|>', '<s>') }}                 # «<s>»x
        {{ u | replace('x', '<s>') }}                        # <|user|>«<s>»
        {{ '<|user|>' | replace('user', u) }}                # «<|»<|user|>x«|>»
        {{ u.replace('|', '') }}                             # <user>x
        {{ ('<s>' ~ u) | trim }}                             # «<s>»<|user|>x
        {{ u | upper }}{{ '<s>' | upper }}                   # <|USER|>X«<S>»
        {{ ('<s>' ~ u) | upper }}                            # <S><|USER|>X
        {{ u | tojson }}{{ '<s>' | tojson }}                 # "<|user|>x""<s>"
        {{ ['<s>', u] | join('<j>') }}                       # «<s><j>»<|user|>x
        {{ '<j>'.join(l) }}                                  # <a>«<j>»b
        {{ ('<s>' ~ u)[1:5] }}                               # «s>»<|
        {{ ('<s>' ~ u)[::-1] }}                              # x>|resu|<«>s<»
        {{ (u ~ '<s>').split('>') | join }}                  # <|user|x«<s»
        {{ 'a%sb' % u }}                                     # «a»<|user|>x«b»
        {{ u % () }}{{ '%s' | format('<s>') }}               # <|user|>x«<s>»
        {% set x %}<s>{{ u }}{% endset %}{{ x }}             # «<s>»<|user|>x
        {% macro m(a) %}<s>{{ a }}{% endmacro %}{{ m(u) }}   # «<s>»<|user|>x
        {% filter trim %} <s>{{ u }} {% endfilter %}         # «<s>»<|user|>x
        {{ n }}{{ 1 }}{{ true }}{{ ['<s>'] }}                # 71True['<s>']
        {{ '<s>' if u else '' }}{{ nope | default('<d>') }}  # «<s><d>»
        {% for k, v in d.items() %}{{ k }}={{ v }}{% endfor %} # <k>«=»v
        {% for k in {'<s>': 1} %}{{ k }}{% endfor %}         # «<s>»
        {{ u | e }}{{ '<s>' | e }}                           # &lt;|user|&gt;x&lt;«s»&gt;
        {{ '<s>' }}{{ ('<s>' ~ u) | indent(2, true) }}       # «<s>»  «<s>»<|user|>x
        {{ u | first ~ '<s>' | last }}                       # <«>»
        {{ strftime_now('<s>%Y') }}                          # <s>2026
        {{ '<s>'.center(7, '<') }}                           # <<«<s>»<<
        {{ dict(a='<s>') | list | first }}                   # a
        """)
    void marksWhatTheTemplateWrote(String template, String expected) {
        assertThat(Rendered.marked(template, USER)).isEqualTo(expected);
    }

    private static final String GREEK = "αγεηκ";

    /** Operations that take text; {@code X} and {@code Y} stand for operands. */
    private static final List<String> OPERATIONS = List.of(
            "X ~ Y",
            "X + Y",
            "X ~ '<s>' ~ Y",
            "X * 2",
            "X[1:]",
            "X[:-1]",
            "X[::-1]",
            "X[::2]",
            "X[0]",
            "X[-1]",
            "X | upper",
            "X | lower",
            "X | capitalize",
            "X | title",
            "X | trim",
            "X | trim('<z')",
            "X | reverse",
            "X | replace(Y, '<r>')",
            "X | replace('s', Y)",
            "X | replace('', Y)",
            "X | replace(X, Y, 1)",
            "X | string",
            "X | indent",
            "X | indent(Y, true)",
            "X | center(30)",
            "X | truncate(6)",
            "X | truncate(6, true, Y[:3], 0)",
            "X | e",
            "X | forceescape",
            "X | safe",
            "X | default(Y)",
            "nope | default(X)",
            "X | first",
            "X | last",
            "X | list | join",
            "X | list | join(Y)",
            "X | sort | join",
            "X | unique | join",
            "X | tojson",
            "[X, Y] | tojson",
            "[X, Y] | join(X)",
            "[X, Y] | map('upper') | join",
            "[X, Y] | select | first",
            "[X, Y] | reject('none') | join('-')",
            "[X, Y] | max",
            "[X, Y] | min",
            "[X, Y] | sort | last",
            "{X: Y} | items | first | join(Y)",
            "{X: Y}.keys() | join",
            "{X: Y}.values() | first",
            "{X: Y} | dictsort | join",
            "dict([[X, Y]]) | list | first",
            "[{'k': X}] | map(attribute='k') | join",
            "[{'k': X}] | groupby('k') | map('first') | join",
            "[{'k': [X]}, {'k': [Y]}] | sum(attribute='k', start=[]) | join",
            "[[X], [Y]] | sum(start=[]) | join",
            "[{'k': X}] | selectattr('k', 'equalto', X) | map(attribute='k') | join",
            "[{'k': Y}] | rejectattr('k', 'none') | map(attribute='k') | first",
            "[X, Y] | batch(1) | map('join', X) | join",
            "[X, Y] | slice(2) | map('first') | join",
            "[X, Y] | length | string ~ X",
            "[X, Y] | count ~ X",
            "X | length ~ Y",
            "X | int ~ Y",
            "X | float ~ Y",
            "1 | round | abs ~ X",
            "[X] | attr('count') is defined ~ X",
            "X | d(Y) | escape",
            "'<%s>' % X",
            "'%5s|%-9s|%.2s' % (X, Y, X)",
            "'%(a)s' % {'a': X}",
            "X | format",
            "'%s%s' | format(X, Y)",
            "'%r' % X",
            "X.upper()",
            "X.lower()",
            "X.capitalize()",
            "X.title()",
            "X.swapcase()",
            "X.casefold()",
            "X.strip()",
            "X.lstrip('<z')",
            "X.rstrip(Y)",
            "X.split() | join('·')",
            "X.split(Y) | join('·')",
            "X.split('s')[0]",
            "X.rsplit(Y, 1) | join",
            "X.rsplit('<')[-1]",
            "X.splitlines() | join",
            "X.splitlines(true) | join",
            "X.partition(Y) | join",
            "X.rpartition('s') | join('-')",
            "X.replace(Y, X)",
            "X.replace('s', Y, 1)",
            "Y.join([X, X])",
            "X.join('<s>')",
            "X.center(20, Y[0])",
            "X.ljust(20)",
            "X.rjust(20, 'z')",
            "X.zfill(20)",
            "X.expandtabs()",
            "X.removeprefix(Y)",
            "X.removesuffix('<s>')",
            "X.find(Y) ~ X",
            "X.rfind(Y) ~ X",
            "(X ~ Y).index(Y) ~ X",
            "(X ~ Y).rindex(Y) ~ X",
            "X.count(Y) ~ X",
            "X.startswith(Y) ~ X",
            "X.endswith(Y) ~ X",
            "X.isalpha() ~ X",
            "X.isalnum() ~ X",
            "X.isdigit() ~ X",
            "X.isspace() ~ X",
            "X.isupper() ~ X",
            "X.islower() ~ X",
            "[X, Y] ~ ''",
            "(X, Y) ~ X",
            "{X: Y} ~ Y",
            "X if Y in X else Y",
            "X or Y",
            "X and Y",
            "m(X)",
            "m(X, Y)",
            "k(a=X)",
            "namespace(a=X).a",
            "[X, Y].index(Y) ~ X",
            "[X, Y].count(X) ~ Y",
            "{'a': X}.get('a')",
            "{}.get(X, Y)",
            "{'a': X}.copy().a",
            "{'a': X}.items() | list | first | last",
            "loop.cycle(X, Y)");

    private static final String FRAME = """
        {% macro m(a, b='<b>') %}<m>{{ a }}{{ b }}{% for c in a %}{{ c }}{% endfor %}</m>{% endmacro %}
        {% macro k() %}<k>{{ kwargs.a }}{{ caller() if caller else '' }}{% endmacro %}
        {% for x in [1] %}{% set s %}<|{{ u }}|>{% endset %}{% set ns = namespace(t='<t>' ~ u) %}
        """;

    @Test
    void neverTrustsACharacterFromOutsideAndTrustsTheSameWhateverThatIs() {
        Random random = new Random(42);
        int rendered = 0;
        Set<String> failing = new TreeSet<>(OPERATIONS);
        for (int i = 0; i < 6000; i++) {
            String operation = OPERATIONS.get(i % OPERATIONS.size());
            String source = FRAME + statement(random, apply(random, operation, 2)) + "{% endfor %}";
            if (isMarkedByOrigin(random, source)) {
                rendered++;
                failing.remove(operation);
            }
        }
        assertThat(failing).as("operations that were never rendered").isEmpty();
        assertThat(rendered).isGreaterThan(3000);
    }

    /** Renders twice and compares; false if the template fails, as random ones may. */
    private static boolean isMarkedByOrigin(Random random, String source) {
        String user = greek(random);
        String other = greek(random);
        TemplateText first;
        try {
            first = Rendered.text(source, context(user, other));
        } catch (TemplateException e) {
            return false;
        }
        TemplateText second = Rendered.text(source, context(moved(user), moved(other)));
        for (TemplateText.Run run : first.runs()) {
            if (run.trusted()) {
                assertThat(run.chars()).as(source).doesNotContainPattern("[\\u0370-\\u03ff\\u2003]");
            }
        }
        assertThat(joined(second, true)).as(source).isEqualTo(joined(first, true));
        assertThat(joined(second, false)).as(source).isEqualTo(moved(joined(first, false)));
        return true;
    }

    private static String apply(Random random, String operation, int depth) {
        return operation
                .replaceAll("\\bX\\b", "\0")
                .replaceAll("\\bY\\b", "\1")
                .replace("\0", operand(random, depth))
                .replace("\1", operand(random, depth));
    }

    private static String operand(Random random, int depth) {
        List<String> leaves =
                List.of("u", "v", "s", "ns.t", "'<s>'", "'Sß s'", "' ab '", "u", "l[0]", "(d | list | first)");
        if (depth == 0 || random.nextInt(3) == 0) {
            return leaves.get(random.nextInt(leaves.size()));
        }
        String operation = OPERATIONS.get(random.nextInt(OPERATIONS.size()));
        return "((" + apply(random, operation, depth - 1) + ") ~ '')";
    }

    private static String statement(Random random, String expression) {
        return switch (random.nextInt(6)) {
            case 0 -> "{% set q = " + expression + " %}<q>{{ q }}";
            case 1 -> "{% set q %}{{ " + expression + " }}<q>{% endset %}{{ q | trim }}";
            case 2 -> "{% filter replace('s', u) %}<s>{{ " + expression + " }}{% endfilter %}";
            case 3 -> "{% for c in (" + expression + ") ~ '<f>' %}{{ c }}{{ loop.previtem }}{% endfor %}";
            case 4 -> "{% call k(a=" + expression + ") %}<c>{{ u }}{% endcall %}";
            default -> "{{ " + expression + " }}";
        };
    }

    private static String greek(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            char letter = GREEK.charAt(random.nextInt(GREEK.length()));
            text.append(
                    switch (random.nextInt(5)) {
                        case 0 -> Character.toUpperCase(letter);
                        case 1 -> '\u2003';
                        default -> letter;
                    });
        }
        return text.toString();
    }

    /** The same text with the letter after each Greek letter, which keeps their order and case. */
    private static String moved(String text) {
        return text.chars()
                .map(c -> c >= 0x370 && c <= 0x3ff ? c + 1 : c)
                .mapToObj(Character::toString)
                .collect(Collectors.joining());
    }

    private static String joined(TemplateText text, boolean trusted) {
        return text.runs().stream()
                .filter(run -> run.trusted() == trusted)
                .map(TemplateText.Run::chars)
                .collect(Collectors.joining());
    }

    private static Map<String, TemplateValue> context(String user, String other) {
        return Map.of(
                "u", TemplateValue.text(user),
                "v", TemplateValue.text(other),
                "l", TemplateValue.list(List.of(TemplateValue.text(other))),
                "d", TemplateValue.map(Map.of(user, TemplateValue.text(other))));
    }

    @Test
    void coversEveryFilterAndEveryMethodOfText() {
        String all = String.join(" ", OPERATIONS);
        List<String> missing = new ArrayList<>();
        for (String filter : Filters.names()) {
            if (!all.matches(".*(\\| |map\\(')" + filter + "\\b.*")) {
                missing.add(filter);
            }
        }
        for (String method : TextMethods.ALL.keySet()) {
            if (!all.contains("." + method + "(")) {
                missing.add("." + method);
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void trustsNothingOfAConversationInTheGoldenTemplates() {
        int compared = 0;
        for (DictValue golden : Goldens.cases()) {
            Map<String, TemplateValue> context = Goldens.context(golden);
            context.put("messages", withSentinels(context.get("messages")));
            context.put("tools", withSentinels(context.get("tools")));
            Template template = Goldens.template(Goldens.text(golden, "template"));
            if (golden.get("prompt") == null) {
                continue;
            }
            TemplateText plain =
                    template.render(Goldens.context(golden), TemplateLimits.DEFAULT, Goldens.clock(golden));
            TemplateText odd = template.render(context, TemplateLimits.DEFAULT, Goldens.clock(golden));
            assertThat(joined(odd, true)).isEqualTo(joined(plain, true)).doesNotContain("\ue000");
            assertThat(odd.chars().replace("\ue000", "")).isEqualTo(plain.chars());
            compared++;
        }
        assertThat(compared).isEqualTo(87);
    }

    /** Puts a private character into every text that is no word of the protocol. */
    private static TemplateValue withSentinels(@org.jspecify.annotations.Nullable TemplateValue value) {
        return switch (value) {
            case null -> NoneValue.NONE;
            case TemplateText text
            when !text.chars().startsWith("<") ->
                TemplateText.untrusted(text.chars().replaceFirst("\\p{L}", "$0\ue000"));
            case SequenceValue list ->
                SequenceValue.list(list.items().stream()
                        .map(TemplateMarkingTest::withSentinels)
                        .toList());
            case DictValue dict -> {
                Map<Object, DictValue.Entry> members = new java.util.LinkedHashMap<>();
                dict.members().forEach((key, entry) -> {
                    boolean protocol =
                            Set.of("role", "type", "name", "required").contains(key);
                    TemplateValue inner = protocol ? entry.value() : withSentinels(entry.value());
                    members.put(key, new DictValue.Entry(entry.key(), inner));
                });
                yield new DictValue(members);
            }
            default -> value;
        };
    }
}
