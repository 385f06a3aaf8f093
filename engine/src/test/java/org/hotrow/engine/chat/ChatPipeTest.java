package org.hotrow.engine.chat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hotrow.engine.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hotrow chat} without a terminal: answers on stdout, everything else on stderr, no colour, no prompt. */
class ChatPipeTest {
    @TempDir
    private Path folder;

    private static CommandRun chat(String in, String... flags) {
        String[] args = new String[flags.length + 3];
        args[0] = "chat";
        args[1] = "--model";
        args[2] = "demo-model";
        System.arraycopy(flags, 0, args, 3, flags.length);
        return CommandRun.run(in, false, args);
    }

    @Test
    void onlyAnswersGoToStdout() {
        CommandRun run = chat("/set\nhelp\n/hepl\n/show kv\nWhat is the capital of France?\n/stats\n");
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("The capital of France is Paris.\n");
        assertThat(run.err())
                .contains(
                        "temperature", "/regen", "did you mean /help?", "no answer yet", "ctx 25/4096", "all 1 answers")
                .doesNotContain("\u001b", "\n> ");
    }

    @Test
    void commandsChangeTheConversation() {
        CommandRun run = chat("""
            The secret number of Anna is 4817.
            /clear
            What is the secret number of Anna?
            /undo
            /undo
            /system Be kind.
            /system
            /regen
            What is the capital of France?
            /regen
            /quit
            never asked
            """);
        assertThat(run.code()).isZero();
        assertThat(run.out().lines().toList()).hasSize(4).doesNotContain("The secret number of Anna is 4817.");
        assertThat(run.out().lines().skip(2)).allMatch("The capital of France is Paris."::equals);
        assertThat(run.err())
                .contains(
                        "a new conversation",
                        "taken back: What is the secret",
                        "nothing to take back",
                        "system: Be kind.",
                        "nothing to answer again",
                        "temperature 0 always says the same")
                .doesNotContain("4,817 never");
    }

    @Test
    void wrongSettingsAreRefusedAndTheLoopGoesOn() {
        CommandRun run = chat("""
            /set temprature 1
            /set temperature warm
            /set temperature -1
            /set max_tokens 0
            /set kv-policy none
            /set device-buffer-size 10
            /set seed 5
            /set think off
            /set watch maybe
            /show kernel fp8-liner
            /show everything
            /load nowhere.json
            /file nowhere.txt
            /save
            What is the capital of France?
            """);
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("The capital of France is Paris.\n");
        assertThat(run.err())
                .contains(
                        "unknown setting temprature, did you mean temperature?",
                        "temperature warm: expected a number",
                        "temperature -1.0: expected 0 or more",
                        "max_tokens 0: expected a whole number, 1 or more",
                        "kv-policy none: expected hybrid, offload, recompute, resident",
                        "/set device-buffer-size 10: one token selects up to 256",
                        "seed 5",
                        "think off",
                        "watch maybe: expected on or off",
                        "the kernels' sources are not known",
                        "nothing called everything to show",
                        "nowhere.json: does not exist",
                        "nowhere.txt: does not exist",
                        "/save: expected a file");
    }

    @Test
    void theCacheChangesUnderAConversationButNotItsText() {
        String ask = "What is the secret number of Anna?\n";
        CommandRun run = chat("The secret number of Anna is 4817.\n" + ask + "/undo\n/set kv-policy resident\n" + ask
                + "/undo\n/set kv-policy hybrid\n/set device-buffer-size 512\n" + ask + "/show kv\n/show config\n"
                + "/show memory\n/show model\n");
        assertThat(run.out().lines().skip(1)).hasSize(3).allMatch("The secret number of Anna is 4817."::equals);
        assertThat(run.err())
                .contains(
                        "the cache is empty now",
                        "512 hot rows",
                        "1 page of 64 tokens",
                        "Java heap",
                        "10,378,024 in 405 tensors");
    }

    @Test
    void guessesAreCountedAndNeverChangeTheText() {
        String ask = "What is the secret number of Anna?\n";
        String in = "The secret number of Anna is 4817.\n" + ask + "/stats\n/undo\n/set speculative-tokens 0\n" + ask
                + "/undo\n/set speculative-tokens 5\n/set speculative_tokens 4\n" + ask
                + "/show config\n/show memory\n";
        CommandRun run = chat(in, "--speculative-tokens", "2");
        assertThat(run.out()).isEqualTo(chat(in).out());
        assertThat(run.out().lines().skip(1)).hasSize(3).allMatch("The secret number of Anna is 4817."::equals);
        assertThat(run.err())
                .contains(
                        "speculative-tokens 0",
                        "expected 0 to 4",
                        "speculative-tokens 4",
                        "guesses      up to 4 tokens ahead",
                        "tokens a round; 0 rows dropped; a round selects ");
        assertThat(run.err().lines().filter(line -> line.contains("· ctx")))
                .hasSize(4)
                .satisfiesOnlyOnce(line -> assertThat(line).doesNotContain("tok a round"));
        assertThat(chat(in).err())
                .contains("/set speculative-tokens 5: expected 0, because the MTP layer's weights are not loaded");
    }

    @Test
    void aFileGoesBeforeTheNextMessage() throws IOException {
        Path file = Files.writeString(folder.resolve("a note.txt"), "The secret number of Anna is 4817.");
        Path saved = folder.resolve("saved.json");
        CommandRun run = chat("/file " + file + "\nWhat is the secret number of Anna?\nHello\n/save " + saved + "\n");
        assertThat(run.err()).contains("34 characters to go before the next message", "saved 2 turns");
        assertThat(Files.readString(saved))
                .contains(
                        "\"content\":\"The secret number of Anna is 4817.\\n\\nWhat is the secret number of Anna?\"",
                        "\"content\":\"Hello\"");
    }

    @Test
    void aFileThatWaitsIsTakenBackAndGoesWithTheConversation() throws IOException {
        Path file = Files.writeString(folder.resolve("note.txt"), "The secret number of Anna is 4817.");
        String capital = "What is the capital of France?\n";
        CommandRun run = chat("/file " + file + "\n/undo\n" + capital + "/file " + file + "\n/clear\n" + capital);
        assertThat(run.err()).contains("taken back: The secret number of Anna is 4817.");
        assertThat(run.out()).isEqualTo("The capital of France is Paris.\nThe capital of France is Paris.\n");
    }

    @Test
    void whatCannotBeWrittenIsSaidAndLeftAlone() throws IOException {
        Path place = Files.createDirectory(folder.resolve("place"));
        Path real = Files.writeString(folder.resolve("real.json"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), real);
        CommandRun run = chat("/save " + place + "\n/save /\n/save " + folder + "/none/x.json\n/save a\0b\n/save "
                + link + "\n/set device-buffer-size 2147483647\nWhat is the capital of France?\n");
        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("The capital of France is Paris.\n");
        assertThat(run.err())
                .contains(
                        "place: can't be written, it is no file",
                        "/: can't be written, it is no file",
                        "none/x.json: can't be written, its folder does not exist",
                        "/save: no file can have this name",
                        "/set device-buffer-size 2147483647: expected at most 4096");
        assertThat(place).isEmptyDirectory();
        assertThat(link).isSymbolicLink();
        assertThat(Files.readString(real)).contains("hotrow");
    }

    @Test
    void aSavedConversationGoesOnInAnotherProcess() {
        Path saved = folder.resolve("saved.json");
        chat("The secret number of Anna is 4817.\n/save " + saved + "\n", "--system", "Be kind.");
        CommandRun run = chat("/load " + saved + "\n/system\nWhat is the secret number of Anna?\n");
        assertThat(run.err()).contains("loaded 1 turn", "system: Be kind.").doesNotContain("settings of the file");
        assertThat(run.out()).isEqualTo("The secret number of Anna is 4817.\n");
    }

    @Test
    void whatALoadedFileChangesIsSaid() throws IOException {
        Path saved = folder.resolve("saved.json");
        chat("/set max_tokens 7\n/set seed 5\nThe secret number of Anna is 4817.\n/save " + saved + "\n");
        Files.writeString(saved, Files.readString(saved).replace("I will remember that.", "No."));
        CommandRun run = chat("/load " + saved + "\n/save " + saved + "\n/load " + saved + "\n");
        assertThat(run.err())
                .contains("settings of the file: seed 5 (was off), max_tokens 7 (was 256)")
                .containsOnlyOnce("some of its texts are not what their output_ids say")
                .containsOnlyOnce("settings of the file");
    }

    @Test
    void aClosedStdinIsAnError() {
        CommandRun run = CommandRun.hotrowWithoutInput("chat", "--model", "demo-model");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("hotrow: stdin can't be read: Stream closed\n");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aBlockIsOneMessageAndItsEndMayBeMissing() {
        CommandRun run = chat("\"\"\"\nWhat is the capital\nof France?\n", "--max-new-tokens", "1");
        assertThat(run.code()).isZero();
        assertThat(run.out().lines()).hasSize(1);
    }
}
