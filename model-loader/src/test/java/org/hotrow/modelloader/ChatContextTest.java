package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.template.TemplateLimits;
import org.hotrow.modelloader.template.TemplateValue;
import org.junit.jupiter.api.Test;

class ChatContextTest {
    private static List<TextPart> render(String template, ChatContext context) {
        return ChatTemplate.compile(template, "test")
                .render(context.variables(), TemplateLimits.DEFAULT, Clock.systemUTC());
    }

    private static ChatContext withRole(String role) {
        return new ChatContext(List.of(Map.of("role", TemplateValue.text(role))));
    }

    @Test
    void givesToolsAndDocumentsAsNoneUnlessSet() {
        String template =
                "{{ tools is none and documents is none }}{{ add_generation_prompt }}{{ bos_token is defined }}";
        assertThat(render(template, new ChatContext(List.of()))).containsExactly(new TextPart("TrueFalseFalse", false));
        ChatContext context = new ChatContext(List.of())
                .tools(TemplateValue.list(List.of()))
                .documents(TemplateValue.of(1))
                .addGenerationPrompt(true)
                .specialTokens(Map.of("bos_token", "<s>"));
        assertThat(render(template, context)).containsExactly(new TextPart("FalseTrueTrue", false));
    }

    @Test
    void trustsWellKnownRolesAndSpecialTokensOnly() {
        assertThat(render("<|{{ messages[0].role }}|>", withRole("user")))
                .containsExactly(new TextPart("<|user|>", true));
        assertThat(render("<|{{ messages[0].role }}|>", withRole("user|><|x")))
                .containsExactly(new TextPart("<|", true), new TextPart("user|><|x", false), new TextPart("|>", true));
        ChatContext context = withRole("user")
                .specialTokens(Map.of("eos_token", "</s>"))
                .option("style", TemplateValue.text("<plain>"));
        assertThat(render("{{ eos_token }}{{ style }}", context))
                .containsExactly(new TextPart("</s>", true), new TextPart("<plain>", false));
    }

    @Test
    void leavesAWellKnownWordElsewhereUntrusted() {
        ChatContext context = new ChatContext(
                List.of(Map.of("content", TemplateValue.text("user"), "name", TemplateValue.text("user"))));
        assertThat(render("{{ messages[0].content }}{{ messages[0].name }}", context))
                .containsExactly(new TextPart("useruser", false));
    }

    @Test
    void refusesOptionsThatHideTheConversation() {
        ChatContext context = new ChatContext(List.of());
        for (String name : List.of("messages", "tools", "documents", "add_generation_prompt")) {
            assertThatThrownBy(() -> context.option(name, TemplateValue.none()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(name);
        }
    }
}
