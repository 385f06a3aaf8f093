package org.hotrow.modelloader.template;

import static org.assertj.core.api.Assertions.assertThat;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.LegacyOverrides;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A second opinion, where another implementation of the language in Java means the same by it. It knows no
 * loops with a condition, no {@code else} of loops, no negation of variables, and treats white space around tags otherwise.
 */
class TemplateOracleTest {
    private static final Jinjava JINJAVA = new Jinjava(JinjavaConfig.newBuilder()
            .withTrimBlocks(true)
            .withLstripBlocks(true)
            .withLegacyOverrides(LegacyOverrides.newBuilder()
                    .withUsePyishObjectMapper(true)
                    .withUseSnakeCasePropertyNaming(true)
                    .build())
            .build());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ s }}|{{ n }}|{{ nope }}|{{ d.a }}|{{ d['b'] }}|{{ l[0] }}",
                "{{ s | upper }} {{ s | lower }} {{ s | trim }} {{ s | replace('l', 'L') }} {{ s | length }}",
                "{{ l | join(', ') }} {{ l | first }} {{ l | last }} {{ l | length }} {{ l | reverse | join('-') }}",
                "{{ n + 1 }} {{ n - 1 }} {{ n * 2 }} {{ n // 2 }} {{ n % 2 }} {{ 2 ** 3 }}",
                "{{ s ~ n ~ 'x' }} {{ 'a' + 'b' }} {{ 'l' in s }} {{ 'q' not in s }} {{ n in [5] }}",
                "{% if n > 3 and not nope %}big{% elif n == 3 %}three{% else %}small{% endif %}",
                "{% for x in l %}{{ loop.index }}/{{ loop.length }}:{{ x }}{% if not loop.last %},{% endif %}{% endfor %}",
                "{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}",
                "{% for m in ms %}<|{{ m.role }}|>{{ m.content }}{% endfor %}<|assistant|>",
                "{% set x = 1 %}{% for i in l %}{% set x = 2 %}{% endfor %}{{ x }}",
                "{% set ns = namespace(t='') %}{% for i in l %}{% set ns.t = ns.t ~ i %}{% endfor %}{{ ns.t }}",
                "{% macro m(a, b='x') %}[{{ a }}{{ b }}]{% endmacro %}{{ m(1) }}{{ m(2, 'y') }}{{ m(b='z', a=3) }}",
                "{% set x %}a{{ n }}{% endset %}{{ x }}{{ x }}",
                "a\n  {% if true %}\n  b\n  {% endif %}\nc\n",
                "{# nothing #}x{# {{ s }} #}",
                "{% raw %}{{ s }}{% endraw %}",
                "{{ nope | default('d') }} {{ '' | default('e', true) }} {{ s | default('f') }}",
                "{{ s is defined }} {{ nope is defined }} {{ s is string }} {{ n is number }} {{ d is mapping }}",
                "{{ ms | map(attribute='role') | join(',') }} {{ ms | selectattr('role', 'equalto', 'user') | list | length }}",
                "{{ [3, 1, 2] | sort | join }} {{ [1, 2, 3] | sum }} {{ [1, 2, 2] | unique | join }}",
                "{{ s.split(' ') | join('+') }} {{ s.strip() }} {{ s.replace('o', '0') }}",
                "{{ 'a' if n == 5 else 'b' }} {{ (n == 5) }} {{ n != 5 or s == 'x' }}",
                "{{ l[1:] | join }} {{ l[:2] | join }} {{ s[0:5] }} {{ s[-5:] }}",
                "{% for x in l %}{% for y in l %}{{ x }}{{ y }}{{ loop.first }}{% endfor %}{% endfor %}",
                "{{ 'é😀' }} {{ \"it's\" }} {{ 'tab\\there' }}",
                "{{ range(3) | join }} {{ range(1, 7, 2) | join(' ') }}",
                "{{ s | title }} {{ 'x y' | capitalize }} {{ n | string ~ 'q' }} {{ '42' | int + 1 }} {{ -3 | abs }}",
            })
    void agreesWithJinjava(String template) {
        Map<String, Object> plain = Map.of(
                "s",
                "Hello World",
                "n",
                5,
                "l",
                List.of("a", "b", "c"),
                "d",
                new java.util.TreeMap<>(Map.of("a", "one", "b", "two")),
                "ms",
                List.of(Map.of("role", "system", "content", "Be <b>"), Map.of("role", "user", "content", "hi")));
        Map<String, TemplateValue> context = Map.of(
                "s", TemplateValue.text("Hello World"),
                "n", TemplateValue.of(5),
                "l", list("a", "b", "c"),
                "d", map("a", "one", "b", "two"),
                "ms",
                        TemplateValue.list(List.of(
                                map("role", "system", "content", "Be <b>"), map("role", "user", "content", "hi"))));
        String other = JINJAVA.render(template, plain);
        String ours = Rendered.chars(template, context);
        // Its booleans are those of Java, and it keeps a line end at the end of the template.
        assertThat(ours.replace("True", "true").replace("False", "false")).isEqualTo(other.replaceFirst("\n$", ""));
    }

    private static TemplateValue list(String... items) {
        return TemplateValue.list(
                java.util.Arrays.stream(items).map(TemplateValue::text).toList());
    }

    private static TemplateValue map(String name, String value, String name2, String value2) {
        Map<String, TemplateValue> members = new java.util.LinkedHashMap<>();
        members.put(name, TemplateValue.text(value));
        members.put(name2, TemplateValue.text(value2));
        return TemplateValue.map(members);
    }
}
