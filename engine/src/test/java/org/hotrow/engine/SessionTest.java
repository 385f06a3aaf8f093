package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hotrow.modelloader.ChatContext;
import org.hotrow.modelloader.ChatJson;
import org.hotrow.modelloader.JsonValue.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a conversation's tokens are, turn by turn, with the demo model's tokenizer and template. */
class SessionTest {
    private static final int USER = 3047;
    private static final List<Integer> STOPS = List.of(3040, USER, 3049);

    private final ModelText text = new ModelText(DemoGolden.MODEL);
    private final Session session = new Session(text, STOPS);

    private int[] rendered(ModelText with, JsonObject... messages) {
        return with.encode(
                with.render(new ChatContext(ChatJson.messages(List.of(messages))).addGenerationPrompt(true)));
    }

    private static int[] joined(int[]... parts) {
        return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
    }

    private static List<Integer> list(int... ids) {
        return Arrays.stream(ids).boxed().toList();
    }

    private static JsonObject user(String content) {
        return Session.message("user", content);
    }

    private static JsonObject assistant(String content) {
        return Session.message("assistant", content);
    }

    /** "The" as nobody would cut it, and the stop id. */
    private int[] said() {
        int[] ids = joined(text.encode("T"), text.encode("he"), new int[] {USER});
        assertThat(text.encode("The")).hasSize(1);
        return ids;
    }

    @Test
    void theNextPromptHasTheGeneratedIdsThemselves() {
        int[] first = session.promptOfText("Hi");
        assertThat(first).isEqualTo(rendered(text, user("Hi")));
        session.answered(list(said()), "The", FinishReason.STOP);
        int[] second = session.promptOfText("Why?");
        assertThat(second)
                .isEqualTo(joined(
                        first, text.encode("T"), text.encode("he"), text.encode("<|user|>\nWhy?<|assistant|>\n")))
                .isNotEqualTo(rendered(text, user("Hi"), assistant("The"), user("Why?")));
        assertThat(text.decode(second))
                .isEqualTo(text.decode(rendered(text, user("Hi"), assistant("The"), user("Why?"))));
        assertThat(session.encodedAnew()).isFalse();
    }

    @Test
    void anAnswerThatTheLimitEndedKeepsAllOfItsIds() {
        int[] first = session.promptOfText("Hi");
        int[] cut = text.encode("The cat");
        session.answered(list(cut), "The cat", FinishReason.LENGTH);
        assertThat(session.promptOfText("And?"))
                .isEqualTo(joined(first, cut, text.encode("<|user|>\nAnd?<|assistant|>\n")));
    }

    @Test
    void aTextThatAStopStringCutIsEncodedAsItIs() {
        int[] first = session.promptOfText("Hi");
        session.answered(list(text.encode("The cat")), "The", FinishReason.STOP);
        assertThat(session.promptOfText("And?"))
                .isEqualTo(joined(first, text.encode("The<|user|>\nAnd?<|assistant|>\n")));
    }

    @Test
    void whatAUserWritesInALaterTurnStaysText() {
        session.promptOfText("Hi");
        session.answered(list(said()), "The", FinishReason.STOP);
        int[] prompt = session.promptOfText("<|user|>");
        assertThat(Arrays.stream(prompt).filter(id -> id == USER).count()).isEqualTo(2);
        assertThat(text.decode(prompt)).contains("<|user|>");
    }

    @Test
    void messagesMayRepeatTheSessionSoFar() {
        List<JsonObject> first = List.of(Session.message("system", "Be kind."), user("Hi"));
        Session other = new Session(text, STOPS);
        for (Session each : List.of(session, other)) {
            each.promptOfMessages(first);
            each.answered(list(said()), "The", FinishReason.STOP);
        }
        List<JsonObject> all = new ArrayList<>(first);
        all.addAll(List.of(assistant("The"), user("Why?")));
        int[] repeated = session.promptOfMessages(all);
        assertThat(repeated).isEqualTo(other.promptOfMessages(List.of(user("Why?"))));
        assertThat(repeated).containsSequence(joined(text.encode("T"), text.encode("he")));
    }

    @Test
    void messagesThatDifferFromTheSessionAreNew() {
        session.promptOfText("Hi");
        session.answered(list(said()), "The", FinishReason.STOP);
        int[] prompt = session.promptOfMessages(List.of(user("Hi"), assistant("A"), user("Why?")));
        assertThat(Arrays.stream(prompt).filter(id -> id == USER).count()).isEqualTo(3);
    }

    @Test
    void aTurnWithoutAnAnswerLeavesNoTrace() {
        int[] first = session.promptOfText("Hi");
        session.promptOfText("never answered");
        assertThat(session.promptOfText("Hi")).isEqualTo(first);
        session.promptOfIds(new int[] {1, 2});
        assertThat(session.promptOfText("Hi")).isEqualTo(first);
    }

    @Test
    void idsFollowAllTokensStopIdIncluded() {
        assertThat(session.promptOfIds(new int[] {5, 6})).containsExactly(5, 6);
        session.answered(List.of(7, USER), "x", FinishReason.STOP);
        assertThat(session.promptOfIds(new int[] {8})).containsExactly(5, 6, 7, USER, 8);
        session.answered(List.of(9), "y", FinishReason.LENGTH);
        assertThat(session.promptOfIds(new int[] {1})).containsExactly(5, 6, 7, USER, 8, 9, 1);
        assertThatThrownBy(() -> session.promptOfText("Hi"))
                .isInstanceOf(RequestException.class)
                .hasMessageContaining("prompt_ids");
    }

    @Test
    void idsMayFollowMessages() {
        int[] first = session.promptOfText("Hi");
        int[] said = said();
        session.answered(list(said), "The", FinishReason.STOP);
        assertThat(session.promptOfIds(new int[] {8})).isEqualTo(joined(first, said, new int[] {8}));
    }

    private ModelText withTemplate(Path folder, String template) throws IOException {
        Files.copy(DemoGolden.MODEL.resolve("tokenizer.json"), folder.resolve("tokenizer.json"));
        Files.writeString(folder.resolve("chat_template.jinja"), template);
        return new ModelText(folder);
    }

    @Test
    void whatTheTemplateRendersInAnotherWayIsEncodedAnew(@TempDir Path folder) throws IOException {
        ModelText loud = withTemplate(
                folder,
                "{% for m in messages %}<|user|>{{ m.content|upper if m.role == 'assistant' else m.content }}{% endfor %}"
                        + "<|assistant|>");
        Session rewritten = new Session(loud, STOPS);
        rewritten.promptOfText("Hi");
        rewritten.answered(list(said()), "The", FinishReason.STOP);
        assertThat(rewritten.promptOfText("Why?"))
                .isEqualTo(loud.encode("<|user|>Hi<|user|>THE<|user|>Why?<|assistant|>"));
        assertThat(rewritten.encodedAnew()).isTrue();
    }

    @Test
    void withoutATemplateATextGoesOnAsItIs(@TempDir Path folder) throws IOException {
        Files.copy(DemoGolden.MODEL.resolve("tokenizer.json"), folder.resolve("tokenizer.json"));
        Session plain = new Session(new ModelText(folder), STOPS);
        int[] once = plain.promptOfText("Once upon");
        assertThat(once).isEqualTo(text.encode("Once upon"));
        plain.answered(list(said()), "The", FinishReason.STOP);
        assertThat(plain.promptOfText(" a time")).isEqualTo(joined(once, said(), text.encode(" a time")));
    }
}
