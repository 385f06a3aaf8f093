package org.hotrow.engine;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import org.hotrow.modelloader.ChatContext;
import org.hotrow.modelloader.ChatTemplate;
import org.hotrow.modelloader.ChatTemplateFile;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.TextPart;
import org.hotrow.modelloader.Tokenizer;
import org.hotrow.modelloader.template.TemplateLimits;
import org.jspecify.annotations.Nullable;

/** The words of a model folder: its tokenizer and its chat template. Read when first needed; weights are not. */
final class ModelText {
    private final Path folder;
    private @Nullable Tokenizer tokenizer;
    private @Nullable ChatTemplateFile file;
    private @Nullable ChatTemplate template;

    ModelText(Path folder) {
        this.folder = folder;
    }

    /**
     * The tokenizer, if the folder has one.
     *
     * @throws ModelFormatException if it is refused
     */
    Optional<Tokenizer> tokenizer() {
        Path source = folder.resolve("tokenizer.json");
        // A link to nothing is a broken model, not one without a tokenizer.
        if (tokenizer == null && Files.exists(source, LinkOption.NOFOLLOW_LINKS)) {
            tokenizer = Tokenizer.read(source);
        }
        return Optional.ofNullable(tokenizer);
    }

    /** The ids of a text in which added tokens are recognised. */
    int[] encode(String text) {
        return requireTokenizer().encode(text);
    }

    /** The ids of a text in which only what is trusted becomes an added token. */
    int[] encode(List<TextPart> parts) {
        return requireTokenizer().encode(parts);
    }

    /** The text of ids, special tokens left out. */
    String decode(int[] ids) {
        return requireTokenizer().decode(ids, true);
    }

    /**
     * Whether there is a chat template.
     *
     * @throws ModelFormatException if its file is broken
     */
    boolean hasTemplate() {
        return file != null || ChatTemplateFile.find(folder).isPresent();
    }

    /**
     * Refuses a model that no words can be exchanged with.
     *
     * @throws ModelFormatException if it has no tokenizer or no chat template
     */
    void requireChat() {
        requireTokenizer();
        if (!hasTemplate()) {
            ChatTemplateFile.read(folder);
        }
    }

    /**
     * What the chat template makes of a conversation.
     *
     * @throws ModelFormatException if the folder has no template
     * @throws org.hotrow.modelloader.template.TemplateException if the template is none that can be run, or refuses
     */
    List<TextPart> render(ChatContext context) {
        if (file == null || template == null) {
            file = ChatTemplateFile.read(folder);
            template = ChatTemplate.compile(file.source(), file.origin().toString());
        }
        context.specialTokens(file.tokens());
        return template.render(context.variables(), TemplateLimits.DEFAULT, Clock.system(ZoneId.systemDefault()));
    }

    private Tokenizer requireTokenizer() {
        return tokenizer()
                .orElseThrow(() -> new ModelFormatException(
                        folder, "", "has no tokenizer.json, so it takes no text; give the prompt by --prompt-ids"));
    }
}
