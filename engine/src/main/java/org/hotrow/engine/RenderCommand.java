package org.hotrow.engine;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.hotrow.modelloader.ChatContext;
import org.hotrow.modelloader.ChatJson;
import org.hotrow.modelloader.ModelFormatException;
import org.hotrow.modelloader.TextPart;
import org.hotrow.modelloader.template.TemplateValue;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hotrow render}: what a model's chat template makes of a conversation. */
@Command(
        name = "render",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description =
                "Prints exactly what the model's chat template makes of a conversation, without running the model.")
final class RenderCommand implements Callable<Integer> {
    private final Console console;

    @Mixin
    private FolderOption folder = new FolderOption();

    @Option(names = "--messages", required = true, paramLabel = "FILE", description = "JSON list of messages")
    private @Nullable Path messages;

    @Option(names = "--tools", paramLabel = "FILE", description = "JSON list of tools")
    private @Nullable Path tools;

    @Option(
            names = "--option",
            paramLabel = "NAME=VALUE",
            description = "variable of the template; the value is JSON, or else text; may be given several times")
    private Map<String, String> options = Map.of();

    @Option(names = "--no-generation-prompt", description = "end after the last message")
    private boolean noGenerationPrompt;

    @Option(names = "--ids", description = "print token ids")
    private boolean ids;

    RenderCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() {
        ModelText text = new ModelText(folder.folder());
        List<TextPart> parts = text.render(context());
        if (ids) {
            String list = Arrays.stream(text.encode(parts))
                    .mapToObj(Integer::toString)
                    .collect(Collectors.joining(","));
            console.answer(list + "\n");
        } else {
            parts.forEach(part -> console.answer(part.text()));
        }
        return Hotrow.OK;
    }

    private ChatContext context() {
        try {
            ChatContext context = new ChatContext(ChatJson.readMessages(Objects.requireNonNull(messages)))
                    .addGenerationPrompt(!noGenerationPrompt);
            if (tools != null) {
                context.tools(ChatJson.read(tools));
            }
            options.forEach((name, value) -> context.option(name, value(name, value)));
            return context;
        } catch (ModelFormatException | IllegalArgumentException e) {
            throw new RequestException(Objects.requireNonNull(e.getMessage()), e);
        }
    }

    private static TemplateValue value(String name, String text) {
        try {
            return ChatJson.parse(text, Path.of("--option"), name);
        } catch (ModelFormatException e) {
            return TemplateValue.text(text);
        }
    }
}
