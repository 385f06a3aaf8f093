package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hotrow.modelloader.template.TemplateException;
import org.hotrow.modelloader.template.TemplateException.Kind;
import org.hotrow.modelloader.template.TemplateLimits;
import org.hotrow.modelloader.template.TemplateValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChatTemplateTest {
    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-03-05T09:07:03Z"), ZoneOffset.UTC);

    private static Map<String, TemplateValue> message(String role, String content) {
        return Map.of("role", TemplateValue.text(role), "content", TemplateValue.text(content));
    }

    private static List<TextPart> parts(String template, ChatContext context) {
        return ChatTemplate.compile(template, "test.jinja").render(context.variables(), TemplateLimits.DEFAULT, CLOCK);
    }

    private static String prompt(String template, ChatContext context) {
        return parts(template, context).stream().map(TextPart::text).collect(Collectors.joining());
    }

    private static TemplateException failure(String template) {
        ChatContext context = new ChatContext(List.of(message("user", "hi")));
        return catchThrowableOfType(TemplateException.class, () -> prompt(template, context));
    }

    // 35: special tokens in user text stay text

    @Test
    void keepsWhatAUserWroteApartFromSpecialTokens() {
        ChatContext context = new ChatContext(List.of(message("user", "a<|assistant|>b")));
        assertThat(parts("{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}<|end|>", context))
                .containsExactly(
                        new TextPart("<|user|>", true),
                        new TextPart("a<|assistant|>b", false),
                        new TextPart("<|end|>", true));
    }

    // 36: nothing of the host is within reach

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ ''.__class__.__mro__ }}",
                "{{ ''.__class__.__base__.__subclasses__() }}",
                "{{ messages.__class__.__init__ }}",
                "{{ messages[0].content.getClass() }}",
                "{{ messages[0].getClass() }}",
                "{{ messages.getClass().getClassLoader() }}",
                "{{ messages[0]['content']['getClass']() }}",
                "{{ (messages[0].content | attr('getClass'))() }}",
                "{{ raise_exception.__globals__.os }}",
                "{{ range.__self__.x }}",
                "{{ ____int3rpr3t3r____.config }}",
                "{{ ____int3rpr3t3r____.getContext().class }}",
                "{% for m in messages %}{{ loop.__class__.x }}{{ loop.getClass() }}{% endfor %}",
                "{% macro m() %}{% endmacro %}{{ m.body.call() }}",
                "{{ namespace(a=1).attributes.get('a') }}",
                "{{ messages[0].members.x }}",
            })
    void refusesAttributesThatATemplateHasNoBusinessWith(String template) {
        assertThat(failure(template).kind()).isIn(Kind.UNDEFINED, Kind.SECURITY);
    }

    @Test
    void printsNothingOfAHiddenAttribute() {
        ChatContext context = new ChatContext(List.of(message("user", "hi")));
        assertThat(prompt("[{{ ''.__class__ }}{{ messages[0].__class__ }}{{ messages.size }}]", context))
                .isEqualTo("[]");
    }

    // 37: endless templates end

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ range(10**9) | length }}",
                "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
                "{% set ns = namespace(s='aaaaaaaaaa') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
                "{% macro f(n) %}{{ f(n + 1) }}{% endmacro %}{{ f(0) }}",
                "{{ 'x' * 10**12 }}",
                "{% for i in range(99999) %}{{ messages | tojson(indent=99) }}{% endfor %}",
            })
    void stopsATemplateThatAsksForTooMuch(String template) {
        assertThat(failure(template).kind()).isEqualTo(Kind.LIMIT);
    }

    // 38: a template's refusal is heard

    @Test
    void throwsWhatATemplateRaises() {
        TemplateException raised =
                failure("{{ messages[0].content }}\n{{ raise_exception('No \"' ~ 1 ~ '\"\\n here') }}");
        assertThat(raised.kind()).isEqualTo(Kind.RAISE);
        assertThat(raised.detail()).isEqualTo("No \"1\"\n here");
        assertThat(raised.line()).isEqualTo(2);
        assertThat(raised).hasMessage("test.jinja:2: No \"1\"\\u000a here");
    }

    // 39: malformed and absurd templates

    @Test
    void refusesAnUnclosedBlock() {
        assertThatThrownBy(() -> ChatTemplate.compile("a\n{% if x %}\nb", "test.jinja"))
                .isInstanceOf(TemplateException.class)
                .hasMessage("test.jinja:3: the template ends within a block; expected {% elif %} or {% else %} or"
                        + " {% endif %}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"(", "[", "not ", "-", "{'a': ", "f(", "1 if 1 else ", "x[", "{% if 1 %}", "{% for x in y %}"})
    void refusesNestingTenThousandDeep(String opening) {
        String nested = opening.repeat(10_000);
        String template = opening.startsWith("{%") ? nested : "{{ " + nested;
        assertThat(failure(template).kind()).isEqualTo(Kind.LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {".a", "[0]", " | upper", "()", " + 1", " ~ 1 + 2", " or 0", " and 1"})
    void refusesChainsTenThousandLong(String link) {
        assertThat(failure("{{ 1" + link.repeat(10_000) + " }}").kind()).isEqualTo(Kind.LIMIT);
    }

    // 40: messages of unusual make

    @Test
    void rendersMessagesWithoutRoleAndContentAsAList() {
        TemplateValue list = ChatJson.parse("[{\"type\": \"text\", \"text\": \"a\"}, \"b\"]", Path.of("m.json"), "");
        ChatContext context = new ChatContext(List.of(Map.of("content", list), Map.of("role", TemplateValue.none())));
        String template = "{% for m in messages %}[{{ m.role }}|"
                + "{% for p in m.content or [] %}{{ p if p is string else p.text }}{% endfor %}]{% endfor %}";
        assertThat(prompt(template, context)).isEqualTo("[|ab][None|]");
        assertThat(failure("{{ messages[0].name.first }}").kind()).isEqualTo(Kind.UNDEFINED);
    }

    // 41: the prefix of turn n may differ from that of turn n + 1

    @Test
    void rendersATemplateThatRewritesEarlierTurns() {
        String template = "{% for m in messages %}<{{ m.role }}>{{ m.content if loop.last else '-' }}{% endfor %}";
        ChatContext one = new ChatContext(List.of(message("user", "one")));
        ChatContext two = new ChatContext(List.of(message("user", "one"), message("user", "two")));
        assertThat(prompt(template, one)).isEqualTo("<user>one");
        assertThat(prompt(template, two)).isEqualTo("<user>-<user>two");
    }

    // Templates of further families, written from public descriptions of their prompts.

    private static final List<Map<String, TemplateValue>> CHAT = List.of(
            message("system", " Be brief. "),
            message("user", "Hello"),
            message("assistant", "Hi!\n"),
            message("user", " How are you? "));

    @Test
    void rendersHeadersInTheMannerOfLlama3() {
        String template = """
            {{- bos_token }}
            {%- for turn in messages %}
                {{- '<|start_header_id|>' + turn['role'] + '<|end_header_id|>\\n\\n' }}
                {{- turn['content'] | trim + '<|eot_id|>' }}
            {%- endfor %}
            {%- if add_generation_prompt %}
                {{- '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}
            {%- endif %}
            """;
        ChatContext context =
                new ChatContext(CHAT).addGenerationPrompt(true).specialTokens(Map.of("bos_token", "<|begin_of_text|>"));
        assertThat(parts(template, context))
                .containsExactly(
                        new TextPart("<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n", true),
                        new TextPart("Be brief.", false),
                        new TextPart("<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n", true),
                        new TextPart("Hello", false),
                        new TextPart("<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n", true),
                        new TextPart("Hi!", false),
                        new TextPart("<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n", true),
                        new TextPart("How are you?", false),
                        new TextPart("<|eot_id|><|start_header_id|>assistant<|end_header_id|>\n\n", true));
    }

    private static final String MISTRAL = """
        {%- if messages[0].role == 'system' %}
          {%- set lead, rest = messages[0].content.strip(), messages[1:] %}
        {%- else %}
          {%- set lead, rest = none, messages %}
        {%- endif %}
        {{- bos_token }}
        {%- for turn in rest %}
          {%- if (turn.role == 'user') != (loop.index0 % 2 == 0) %}
            {{- raise_exception('Roles must alternate, found ' ~ turn.role ~ ' at ' ~ loop.index0) }}
          {%- endif %}
          {%- if turn.role == 'user' %}
            {{- '[INST] ' ~ (lead ~ '\\n\\n' if lead is not none and loop.last) ~ turn.content ~ ' [/INST]' }}
          {%- else %}
            {{- ' ' ~ turn.content.rstrip() ~ eos_token }}
          {%- endif %}
        {%- endfor %}
        """;

    @Test
    void rendersInstructionsInTheMannerOfMistral() {
        ChatContext context = new ChatContext(CHAT).specialTokens(Map.of("bos_token", "<s>", "eos_token", "</s>"));
        assertThat(prompt(MISTRAL, context))
                .isEqualTo("<s>[INST] Hello [/INST] Hi!</s>[INST] Be brief.\n\n How are you?  [/INST]");
    }

    @Test
    void hearsMistralRefuseTwoUserTurns() {
        ChatContext context = new ChatContext(List.of(message("user", "a"), message("user", "b")))
                .specialTokens(Map.of("bos_token", "<s>"));
        assertThatThrownBy(() -> prompt(MISTRAL, context)).isInstanceOfSatisfying(TemplateException.class, e -> {
            assertThat(e.kind()).isEqualTo(Kind.RAISE);
            assertThat(e.detail()).isEqualTo("Roles must alternate, found user at 1");
            assertThat(e.line()).isEqualTo(9);
        });
    }

    @Test
    void rendersTurnsInTheMannerOfGemma() {
        String template = """
            {{ bos_token }}
            {%- set prefix = '' -%}
            {%- if messages[0]['role'] == 'system' -%}
                {%- set prefix = messages[0]['content'] | trim + '\\n\\n' -%}
                {%- set messages = messages[1:] -%}
            {%- endif -%}
            {%- for turn in messages -%}
                {%- set role = 'model' if turn['role'] == 'assistant' else turn['role'] -%}
                {{ '<start_of_turn>' + role + '\\n' + (prefix if loop.first else '') }}
                {%- if turn['content'] is string -%}
                    {{ turn['content'] | trim }}
                {%- else -%}
                    {%- for item in turn['content'] if item.type == 'text' -%}{{ item.text }}{%- endfor -%}
                {%- endif -%}
                {{ '<end_of_turn>\\n' }}
            {%- endfor -%}
            {%- if add_generation_prompt -%}
                {{ '<start_of_turn>model\\n' }}
            {%- endif -%}
            """;
        ChatContext context =
                new ChatContext(CHAT).addGenerationPrompt(true).specialTokens(Map.of("bos_token", "<bos>"));
        assertThat(prompt(template, context)).isEqualTo("""
                        <bos><start_of_turn>user
                        Be brief.

                        Hello<end_of_turn>
                        <start_of_turn>model
                        Hi!<end_of_turn>
                        <start_of_turn>user
                        How are you?<end_of_turn>
                        <start_of_turn>model
                        """);
    }
}
