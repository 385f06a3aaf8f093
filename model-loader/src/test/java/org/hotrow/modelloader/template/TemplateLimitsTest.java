package org.hotrow.modelloader.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Clock;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateLimitsTest {
    private static final String FOREVER = "{% for i in range(99999) %}{% for j in range(99999) %}";
    private static final String END = "{% endfor %}{% endfor %}";
    private static final String BIG = "{% set big = 'aé😀 b\\n' * 600000 %}";

    /** Enough to build a long text, and soon used up: what it buys is accounted for, however much it is. */
    private static final TemplateLimits FEW_STEPS =
            new TemplateLimits(100_000, 200_000, 1 << 22, 1 << 22, TemplateLimits.MAX_DEPTH);

    /** What a rendering on a thread of 700 kB of stack ends with. */
    private static @Nullable Throwable endOf(String source, TemplateLimits limits) throws InterruptedException {
        AtomicReference<@Nullable Throwable> end = new AtomicReference<>();
        Runnable rendering = () -> end.set(catchThrowable(() -> render(source, Map.of(), limits)));
        Thread thread = new Thread(null, rendering, "small", 700 << 10);
        thread.start();
        thread.join();
        return end.get();
    }

    private static String render(String source, Map<String, TemplateValue> context, TemplateLimits limits) {
        return Template.compile(source, "test")
                .render(context, limits, Clock.systemUTC())
                .chars();
    }

    private static void assertLimit(String source) throws InterruptedException {
        assertLimit(source, TemplateLimits.DEFAULT);
    }

    private static void assertLimit(String source, TemplateLimits limits) throws InterruptedException {
        assertThat(endOf(source, limits))
                .isInstanceOfSatisfying(
                        TemplateException.class, e -> assertThat(e.kind()).isEqualTo(TemplateException.Kind.LIMIT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "big.title()",
                "big.casefold()",
                "big.split()",
                "big.rsplit('b')",
                "big.splitlines()",
                "big[::-1]",
                "big[1:]",
                "big[-1]",
                "big | tojson",
                "[big] | string",
                "big | upper",
                "big | indent(1)",
                "big | replace('a', 'b')",
                "big.replace('zz', '')",
                "big.removeprefix('a')",
                "big.find('zz')",
                "big.rfind('zz')",
                "big.count('b')",
                "big | trim",
                "big == big ~ ''",
                "big < big ~ 'x'",
                "{big: 1}",
                "'zz' in big",
                "big ~ ''",
                "big | e",
                "big.isalpha()",
                "big | list",
                "big.startswith('a')",
                "big | int",
                "big | float",
                "big | length",
                "big.expandtabs()",
                "big % ()",
                "'%s' % big",
                "big | center(4000000)",
                "big.zfill(4000000)",
                "big.join('ab')",
                "big | default(1) | first",
                "big | truncate(9)",
            })
    void accountsForWorkOnLongText(String expression) throws InterruptedException {
        assertLimit(BIG + FOREVER + "{% set y = " + expression + " %}" + END, FEW_STEPS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "('a' * 2000000).count('a' * 1000000 ~ 'b')",
                "('a' * 2000000).rfind('b' ~ 'a' * 1000000)",
                "('a' * 2000000).split('a' * 1000000 ~ 'b') | length",
                "('a' * 1000000 ~ 'b') in 'a' * 2000000",
                "('a' * 4000000) in 'b'",
                "2 ** 14000 / 3 ** 8800",
                "2 ** 14000 ~ ''",
                "'%.999f' % 1e-300",
                "1e-300 | round(400)",
                "2 ** 14000 < 1e-300",
                "strftime_now('%A %B' * 1000)",
                "(['a' * 40000 ~ 'b', 'a' * 40000 ~ 'c'] * 50) | sort",
                "[{}] | map(attribute='a.' * 100000, default={}) | list",
                "[{}] | sort(attribute='a,' * 100000)",
                "([1.1e-300] * 1000) | join",
            })
    void accountsForSlowOperations(String expression) throws InterruptedException {
        assertLimit(FOREVER + "{% set y = " + expression + " %}" + END, FEW_STEPS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ ns.l }}",
                "{{ ns.l | tojson }}",
                "{{ ns.l == ns.m }}",
                "{{ ns.l < ns.m }}",
                "{{ {ns.t: 1} }}",
                "{{ ns.d }}",
                "{{ ns.d == ns.e }}",
                "{{ ns.i | list }}",
                "{{ ns.s | first }}",
                "{% for x in ns.i if x %}{{ loop.length }}{% endfor %}",
            })
    void refusesDeepValues(String use) throws InterruptedException {
        String build =
                "{% set ns = namespace(l=[], m=[], t=(), d={}, e={}, i=['a'], s=['a']) %}{% for i in range(9999) %}"
                        + "{% set ns.l = [ns.l] %}{% set ns.m = [ns.m] %}{% set ns.t = (ns.t,) %}{% set ns.d = {1: ns.d} %}"
                        + "{% set ns.e = {1: ns.e} %}{% set ns.i = ns.i | map('string') %}{% set ns.s = ns.s | select %}{% endfor %}";
        assertLimit(build + use);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}",
                "{% macro f(a=f()) %}{% endmacro %}{{ f() }}",
                "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{% endmacro %}{{ f() }}",
                "{% for x in [1] recursive %}{{ loop([1, 2]) }}{% endfor %}",
                "{% macro f(n) %}{% for a in [1] %}{% with c = 1 %}{% set x %}{% filter upper %}{{ [f(n)] }}{% endfilter %}"
                        + "{% endset %}{% endwith %}{% endfor %}{% endmacro %}{{ f(0) }}",
                "{% macro f(n) %}{{ [1] | map('default', f(n + 1)) | list }}{% endmacro %}{{ f(0) }}",
                "{% macro f(n) %}{% if 1 %}{% if 1 %}{{ ((f(n) | upper) ~ 'a') | lower }}{% endif %}{% endif %}{% endmacro %}{{ f(0) }}",
            })
    void endsRecursionOnASmallStack(String source) throws InterruptedException {
        assertLimit(source);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ [1] | batch(1000000000, 'x') | list }}",
                "{{ [1] | slice(1000000000) | list }}",
                "{{ ('a\\n' * 1000000) | indent(3000) }}",
                "{{ '\\t'.expandtabs(10000000000) }}",
                "{{ 'a'.rjust(10000000000) }}",
                "{{ '%999999999s' % 1 }}",
                "{{ '' * 10 ** 30 }}",
                "{{ [0] * 10 ** 30 }}",
                "{{ ([0] * 4000000) | length }}",
                "{{ ('f' * 100000) | int(base=16) }}",
                "{{ 2 ** 100000 }}",
                "{{ 10 ** 4299 * 10 }}",
                "{% set ns = namespace(l=[]) %}{% for i in range(99999) %}{% set ns.l = [ns.l, 'é€' * 2000000] %}{% endfor %}",
            })
    void refusesLargeValuesBeforeMakingThem(String source) throws InterruptedException {
        assertLimit(source);
    }

    @Test
    void countsScopesAndWhatTheyStartWith() throws InterruptedException {
        assertLimit("{% with %}".repeat(190) + FOREVER + "{{ nope }}" + END + "{% endwith %}".repeat(190), FEW_STEPS);
        String sets = "{% set a = 1 %}".repeat(50) + "{% set b = 2 %}";
        assertLimit(FOREVER + "{% continue %}" + sets + END, FEW_STEPS);
        assertLimit(FOREVER + "{% set x %}" + "y".repeat(900_000) + "{% continue %}{% endset %}" + END, FEW_STEPS);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '#', quoteCharacter = '^', textBlock = """
        {{ (s ~ s) | length }}       # {{ (s ~ s ~ 'x') | length }}
        {{ s }}{{ s }}               # {{ s }}{{ s }}x
        {{ s * 2 }}                  # {{ s * 3 }}
        {{ (l + l) | length }}       # {{ (l + l + [1]) | length }}
        {{ (l * 2) | length }}       # {{ (l * 3) | length }}
        {{ range(10) | length }}     # {{ range(11) | length }}
        {{ range(-5, 14, 2) | last }} # {{ range(-5, 16, 2) | last }}
        {{ [[[1]]] }}                # {{ [[[[1]]]] }}
        {{ [[[]]] | tojson }}        # {{ [[[[]]]] | tojson }}
        {% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ h() }}{% endmacro %}{% macro h() %}{% endmacro %}{{ g() }}{{ f() }} # {% macro e() %}{{ f() }}{% endmacro %}{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ h() }}{% endmacro %}{% macro h() %}{% endmacro %}{{ e() }}
        {% for i in range(9) %}{% for j in range(9) %}{{ '' }}{% endfor %}{% endfor %} # {% for i in range(9) %}{% for j in range(9) %}{{ '' }}{{ '' }}{{ '' }}{{ '' }}{{ '' }}{{ '' }}{% endfor %}{% endfor %}
        """)
    void allowsAsMuchAsTheLimitAndNoMore(String allowed, String refused) {
        Map<String, TemplateValue> context = Map.of(
                "s", TemplateValue.text("0123456789"),
                "l", TemplateValue.list(Collections.nCopies(10, TemplateValue.of(1))));
        TemplateLimits limits = new TemplateLimits(10, 1000, 20, 20, 3);
        assertThat(render(allowed, context, limits)).doesNotContain("x");
        assertThat(catchThrowableOfType(TemplateException.class, () -> render(refused, context, limits))
                        .kind())
                .isEqualTo(TemplateException.Kind.LIMIT);
    }

    @Test
    void refusesATemplateThatIsTooLong() {
        assertThat(Template.compile("x".repeat(Template.MAX_SOURCE), "test")).isNotNull();
        assertThatThrownBy(() -> Template.compile("x".repeat(Template.MAX_SOURCE + 1), "test"))
                .isInstanceOf(TemplateException.class)
                .hasMessage("test:1: a template of 1048577 characters, more than 1048576");
    }

    @ParameterizedTest
    @CsvSource({"0,1,1,1,1", "1,0,1,1,1", "1,1,0,1,1", "1,1,1,0,1", "1,1,1,1,0", "1,1,1,1,201"})
    void refusesLimitsThatAreNone(int range, long steps, int output, int value, int depth) {
        assertThatThrownBy(() -> new TemplateLimits(range, steps, output, value, depth))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
