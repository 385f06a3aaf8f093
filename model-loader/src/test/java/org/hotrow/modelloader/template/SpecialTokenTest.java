package org.hotrow.modelloader.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hotrow.modelloader.ChatContext;
import org.junit.jupiter.api.Test;

/** That the special tokens which the templates write arrive in one trusted piece. */
class SpecialTokenTest {
    /** The added tokens of the tokenizer that made the ids of the goldens; the first has this id, and so on. */
    private static final int FIRST_ID = 348;

    private static final List<String> ADDED = List.of(
            "<|endoftext|>",
            "[MASK]",
            "[gMASK]",
            "[sMASK]",
            "<sop>",
            "<eop>",
            "<|system|>",
            "<|user|>",
            "<|assistant|>",
            "<|observation|>",
            "<|begin_of_image|>",
            "<|end_of_image|>",
            "<|begin_of_video|>",
            "<|end_of_video|>",
            "<|begin_of_audio|>",
            "<|end_of_audio|>",
            "<|begin_of_transcription|>",
            "<|end_of_transcription|>",
            "<|code_prefix|>",
            "<|code_middle|>",
            "<|code_suffix|>",
            "<think>",
            "</think>",
            "<tool_call>",
            "</tool_call>",
            "<tool_response>",
            "</tool_response>",
            "<arg_key>",
            "</arg_key>",
            "<arg_value>",
            "</arg_value>",
            "/nothink",
            "<|begin_of_box|>",
            "<|end_of_box|>",
            "<|image|>",
            "<|video|>");

    private static final Set<String> FIXED = Set.of("messages", "tools", "documents", "add_generation_prompt");

    @Test
    void findsTheTokensOfTheGoldenIdsInTrustedPartsOnly() {
        Pattern added = Pattern.compile(ADDED.stream().map(Pattern::quote).collect(Collectors.joining("|")));
        int compared = 0;
        for (DictValue golden : Goldens.cases()) {
            if (!(golden.get("ids") instanceof SequenceValue ids)) {
                continue;
            }
            List<String> expected = new ArrayList<>();
            for (TemplateValue id : ids.items()) {
                int index = ((IntValue) id).value().intValueExact() - FIRST_ID;
                if (index >= 0) {
                    expected.add(ADDED.get(index));
                }
            }
            List<String> found = new ArrayList<>();
            for (TemplateText.Run run : render(golden).runs()) {
                if (run.trusted()) {
                    added.matcher(run.chars()).results().forEach(match -> found.add(match.group()));
                }
            }
            assertThat(found).as(Goldens.text(golden, "name")).isEqualTo(expected);
            compared++;
        }
        assertThat(compared).isEqualTo(48);
    }

    private static TemplateText render(DictValue golden) {
        Map<String, TemplateValue> given = Goldens.context(golden);
        ChatContext context = new ChatContext(messages(Objects.requireNonNull(given.get("messages"))))
                .tools(Objects.requireNonNull(given.get("tools")))
                .documents(Objects.requireNonNull(given.get("documents")))
                .addGenerationPrompt(Objects.requireNonNull(given.get("add_generation_prompt"))
                        .isTrue());
        given.forEach((name, value) -> {
            if (!FIXED.contains(name)) {
                context.option(name, value);
            }
        });
        TemplateText text = Goldens.template(Goldens.text(golden, "template"))
                .render(context.variables(), TemplateLimits.DEFAULT, Goldens.clock(golden));
        assertThat(text.chars()).isEqualTo(Goldens.text(golden, "prompt"));
        return text;
    }

    private static List<Map<String, TemplateValue>> messages(TemplateValue list) {
        List<Map<String, TemplateValue>> messages = new ArrayList<>();
        for (DictValue message : Goldens.objects(list)) {
            Map<String, TemplateValue> members = new LinkedHashMap<>();
            message.entries().forEach(entry -> members.put(((TemplateText) entry.key()).chars(), entry.value()));
            messages.add(members);
        }
        return messages;
    }
}
