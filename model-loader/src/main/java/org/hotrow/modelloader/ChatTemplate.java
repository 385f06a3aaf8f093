package org.hotrow.modelloader;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.template.Template;
import org.hotrow.modelloader.template.TemplateException;
import org.hotrow.modelloader.template.TemplateLimits;
import org.hotrow.modelloader.template.TemplateValue;

/**
 * A model's chat template: makes the prompt of a conversation, in parts that tell the template's own text from what the
 * conversation brought in.
 *
 * <p>Each rendering stands alone. A template may well give turn n another prefix than turn n + 1 does (by dropping old
 * reasoning, for example), so that a prompt is not always a continuation of the one before; who caches prompts must
 * compare tokens.
 */
public final class ChatTemplate {
    private final Template template;

    private ChatTemplate(Template template) {
        this.template = template;
    }

    /**
     * Compiles a template.
     *
     * @param name what error messages call it
     * @throws TemplateException if {@code source} is no template or uses what isn't supported
     */
    public static ChatTemplate compile(String source, String name) {
        return new ChatTemplate(Template.compile(source, name));
    }

    /**
     * Finds and compiles the template of a model.
     *
     * @param folder with {@code chat_template.jinja} or {@code tokenizer_config.json}
     * @throws ModelFormatException if there is none that can be read
     * @throws TemplateException as for {@link #compile}
     */
    public static ChatTemplate read(Path folder) {
        ChatTemplateFile file = ChatTemplateFile.read(folder);
        return compile(file.source(), file.origin().toString());
    }

    /**
     * Makes a prompt. Neighbouring parts differ in {@code trusted}, and none is empty.
     *
     * @param context what the template is given; {@link ChatContext} makes one of a conversation
     * @param clock the time and zone that a template may ask for
     * @throws TemplateException if the template fails, refuses the conversation or exceeds a limit
     */
    public List<TextPart> render(Map<String, ? extends TemplateValue> context, TemplateLimits limits, Clock clock) {
        return template.render(context, limits, clock).runs().stream()
                .map(run -> new TextPart(run.chars(), run.trusted()))
                .toList();
    }
}
