package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.hotrow.engine.FinishReason;
import org.hotrow.engine.Model;
import org.hotrow.engine.Session;
import org.hotrow.engine.chat.Conversation.Turn;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever happened before, the prompt is that of a conversation that went this way from the beginning. */
class ConversationTest {
    private final Model model = Model.open(Path.of("demo-model"));

    @AfterEach
    void close() {
        model.close();
    }

    private Conversation conversation(@Nullable String system) {
        return new Conversation(() -> new Session(model), system);
    }

    private void turn(Conversation conversation, String user, String said) {
        conversation.ask(user, true);
        List<Integer> ids =
                Arrays.stream(new Session(model).encode(said)).boxed().toList();
        conversation.answered(ids, said, FinishReason.LENGTH);
    }

    private String text(int[] prompt) {
        return model.tokenizer().orElseThrow().decode(prompt);
    }

    @Test
    void undoLeavesNoTrace() {
        Conversation once = conversation("Be kind.");
        turn(once, "Hi", "Hello");
        Conversation twice = conversation("Be kind.");
        turn(twice, "Hi", "Hello");
        turn(twice, "What?", "Nothing");
        assertThat(twice.undo()).map(Turn::user).contains("What?");
        assertThat(twice.ask("And?", true)).isEqualTo(once.ask("And?", true));
        assertThat(conversation(null).undo()).isEmpty();
    }

    @Test
    void theSystemMessageChangesFromTheBeginningOn() {
        Conversation conversation = conversation(null);
        turn(conversation, "Hi", "Hello");
        conversation.system("Be brief.");
        assertThat(text(conversation.ask("And?", true)))
                .isEqualTo(
                        "[gMASK]<sop><|system|>\nBe brief.<|user|>\nHi<|assistant|>\nHello<|user|>\nAnd?<|assistant|>\n");
        conversation.system(null);
        assertThat(text(conversation.ask("And?", true))).startsWith("[gMASK]<sop><|user|>\nHi<|assistant|>");
    }

    @Test
    void clearKeepsTheSystemMessageOnly() {
        Conversation conversation = conversation("Be kind.");
        turn(conversation, "Hi", "Hello");
        conversation.clear();
        assertThat(conversation.ask("And?", true))
                .isEqualTo(conversation("Be kind.").ask("And?", true));
    }

    @Test
    void aRestoredConversationGoesOnFromTheSameIds() {
        Conversation conversation = conversation("Be kind.");
        conversation.ask("Hi", true);
        // Ids that no tokenizer would cut "Hello" into.
        List<Integer> ids = "Hello"
                .chars()
                .mapToObj(c -> new Session(model).encode(Character.toString(c))[0])
                .toList();
        conversation.answered(ids, "Hello", FinishReason.LENGTH);
        Conversation restored = conversation(null);
        restored.restore("Be kind.", conversation.turns());
        int[] prompt = restored.ask("And?", true);
        assertThat(prompt).isEqualTo(conversation.ask("And?", true));
        assertThat(Arrays.stream(prompt).boxed().toList()).containsSequence(ids);
    }
}
