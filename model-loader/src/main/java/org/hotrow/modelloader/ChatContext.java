package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hotrow.modelloader.template.TemplateText;
import org.hotrow.modelloader.template.TemplateValue;

/**
 * What a chat template is given of one conversation: {@code messages}, {@code tools}, {@code documents}, {@code
 * add_generation_prompt}, the model's special tokens and options that only the template knows.
 *
 * <p>Special tokens are trusted text, and so is the role of a message if it is one of a few well-known words, since
 * templates write {@code '<|' + role + '|>'} and mean a special token. All else is as trusted as it comes.
 */
public final class ChatContext {
    private static final Set<String> ROLES =
            Set.of("system", "developer", "user", "assistant", "tool", "observation", "function", "ipython", "model");
    private static final Set<String> FIXED = Set.of("messages", "tools", "documents", "add_generation_prompt");

    private final Map<String, TemplateValue> variables = new LinkedHashMap<>();

    /**
     * A conversation without tools and documents (both are none), and without a generation prompt.
     *
     * @param messages members by name: {@code role}, {@code content} and whatever else the template reads
     */
    public ChatContext(List<? extends Map<String, ? extends TemplateValue>> messages) {
        List<TemplateValue> marked = new ArrayList<>();
        for (Map<String, ? extends TemplateValue> message : messages) {
            Map<String, TemplateValue> members = new LinkedHashMap<>(message);
            if (members.get("role") instanceof TemplateText role && ROLES.contains(role.chars())) {
                members.put("role", TemplateValue.trustedText(role.chars()));
            }
            marked.add(TemplateValue.map(members));
        }
        variables.put("messages", TemplateValue.list(marked));
        variables.put("tools", TemplateValue.none());
        variables.put("documents", TemplateValue.none());
        variables.put("add_generation_prompt", TemplateValue.of(false));
    }

    /** Sets the tools that the model may call, usually a list of mappings. */
    public ChatContext tools(TemplateValue tools) {
        variables.put("tools", tools);
        return this;
    }

    /** Sets the documents that the model may use. */
    public ChatContext documents(TemplateValue documents) {
        variables.put("documents", documents);
        return this;
    }

    /** Sets whether the prompt ends where the model's answer begins. */
    public ChatContext addGenerationPrompt(boolean add) {
        variables.put("add_generation_prompt", TemplateValue.of(add));
        return this;
    }

    /** Sets the special tokens of {@link ChatTemplateFile#tokens()}, such as {@code bos_token}. */
    public ChatContext specialTokens(Map<String, String> tokens) {
        tokens.forEach((name, token) -> variables.put(name, TemplateValue.trustedText(token)));
        return this;
    }

    /**
     * Sets an option of the template, such as {@code enable_thinking}.
     *
     * @throws IllegalArgumentException if {@code name} is a variable that has a method of its own here
     */
    public ChatContext option(String name, TemplateValue value) {
        if (FIXED.contains(name)) {
            throw new IllegalArgumentException("'" + name + "' is no option of a chat template");
        }
        variables.put(name, value);
        return this;
    }

    /** The variables for {@link ChatTemplate#render}. */
    public Map<String, TemplateValue> variables() {
        return Collections.unmodifiableMap(variables);
    }
}
