package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a prompt is put to the model. */
final class RenderOptions {
    @Option(names = "--system", paramLabel = "TEXT", description = "system message before the prompt")
    private @Nullable String system;

    @Option(names = "--raw", description = "continue the prompt as it is, without the chat template")
    private boolean raw;

    /** @throws RequestException if a flag has no meaning for this prompt */
    void check(PromptOptions prompt) {
        if (system != null && (raw || prompt.ids() != null)) {
            throw new RequestException("--system needs a prompt that goes through the chat template");
        }
    }

    /** The ids that the model gets. */
    int[] promptIds(PromptOptions prompt, Model model) {
        int[] ids = prompt.ids();
        if (ids != null) {
            return ids;
        }
        if (raw) {
            return model.text().encode(prompt.text());
        }
        List<JsonObject> messages = new ArrayList<>();
        if (system != null) {
            messages.add(Session.message("system", system));
        }
        messages.add(Session.message("user", prompt.text()));
        return new Session(model.text(), model.generation().eosIds()).promptOfMessages(messages);
    }
}
