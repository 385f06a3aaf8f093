package org.hotrow.engine;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.ChatContext;
import org.hotrow.modelloader.template.TemplateValue;

/** Messages in order, and the prompt that a model's chat template makes of them. */
final class Conversation {
    private final List<Map<String, TemplateValue>> messages = new ArrayList<>();

    /** A message without anything but role and text. */
    void add(String role, String content) {
        Map<String, TemplateValue> message = new LinkedHashMap<>();
        message.put("role", TemplateValue.text(role));
        message.put("content", TemplateValue.text(content));
        messages.add(message);
    }

    /** Takes the last message back. */
    void removeLast() {
        messages.removeLast();
    }

    /** The prompt up to where the model's answer begins. */
    int[] promptIds(ModelText text) {
        return text.encode(text.render(new ChatContext(messages).addGenerationPrompt(true)));
    }
}
