package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hotrow.modelloader.ModelConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lines of requests, good and bad. */
class RequestFileTest {
    private static final ModelConfig MODEL = ModelConfig.read(Golden.resource("glm-tiny/tiny-fp8"));

    private static RequestFile parse(String text) {
        return RequestFile.parse(Path.of("r.jsonl"), text.getBytes(StandardCharsets.UTF_8), MODEL);
    }

    @Test
    void aLineSaysAllOrNothingButItsPrompt() {
        RequestFile file = parse("""
                {"id": "a", "prompt": "Hi"}

                {"id": "b", "session": "s", "arrival_ms": 1.5, "prompt_ids": [1, 383], "max_new_tokens": 7,\
                 "temperature": 0.5, "seed": -9223372036854775808, "ignore_eos": false}
                \t\r
                {"id": "c", "messages": [{"role": "user", "content": "Hi"}], "session": null}""");
        assertThat(file.refused()).isEmpty();
        assertThat(file.requests())
                .containsExactly(
                        new RequestLine(
                                1,
                                "a",
                                Optional.empty(),
                                0,
                                new RequestLine.Text("Hi"),
                                OptionalInt.empty(),
                                OptionalDouble.empty(),
                                OptionalLong.empty(),
                                Optional.empty()),
                        new RequestLine(
                                3,
                                "b",
                                Optional.of("s"),
                                1.5,
                                new RequestLine.Ids(List.of(1, 383)),
                                OptionalInt.of(7),
                                OptionalDouble.of(0.5),
                                OptionalLong.of(Long.MIN_VALUE),
                                Optional.of(false)),
                        new RequestLine(
                                5,
                                "c",
                                Optional.empty(),
                                0,
                                new RequestLine.Messages(List.of(Session.message("user", "Hi"))),
                                OptionalInt.empty(),
                                OptionalDouble.empty(),
                                OptionalLong.empty(),
                                Optional.empty()));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            {"prompt": "x"}                                         | id: is missing
            {"id": "", "prompt": "x"}                               | id: is "", expected a text that is not empty
            {"id": 5, "prompt": "x"}                                | id: is 5, expected a string
            {"id": "a", "prompt": "x"}                              | id: is "a", expected one that no line before has
            {"id": "b"}                                             | prompt: is missing, expected one of
            {"id": "b", "prompt": "x", "prompt_ids": [1]}           | prompt_ids: is [1], expected one of
            {"id": "b", "prompt": "x", "messages": []}              | messages: is [], expected one of
            {"id": "b", "prompt": 5}                                | prompt: is 5, expected a string
            {"id": "b", "prompt": "\\ud800"}                        | half of a surrogate pair
            {"id": "b", "prompt_ids": "1"}                          | prompt_ids: is "1", expected a list
            {"id": "b", "prompt_ids": [1, 384]}                     | prompt_ids[1]: is 384, expected a whole number from 0 to 383
            {"id": "b", "prompt_ids": [-1]}                         | prompt_ids[0]: is -1
            {"id": "b", "prompt_ids": [1.5]}                        | prompt_ids[0]: is 1.5
            {"id": "b", "messages": []}                             | messages: is [], expected one message or more
            {"id": "b", "messages": ["x"]}                          | messages[0]: is "x", expected an object
            {"id": "b", "messages": {}}                             | messages: is an object of 0 fields, expected a list
            {"id": "b", "prompt": "x", "session": ""}               | session: is ""
            {"id": "b", "prompt": "x", "session": 1}                | session: is 1
            {"id": "b", "prompt": "x", "arrival_ms": -1}            | arrival_ms: is -1
            {"id": "b", "prompt": "x", "arrival_ms": "1"}           | arrival_ms: is "1"
            {"id": "b", "prompt": "x", "max_new_tokens": 0}         | max_new_tokens: is 0, expected a whole number from 1
            {"id": "b", "prompt": "x", "max_new_tokens": 1e3}       | max_new_tokens: is 1e3
            {"id": "b", "prompt": "x", "max_new_tokens": 9999999999} | max_new_tokens: is 9999999999
            {"id": "b", "prompt": "x", "temperature": -0.1}         | temperature: is -0.1
            {"id": "b", "prompt": "x", "temperature": true}         | temperature: is true
            {"id": "b", "prompt": "x", "seed": 9223372036854775808} | seed: is 9223372036854775808, expected a whole number of 64 bits
            {"id": "b", "prompt": "x", "seed": 0.5}                 | seed: is 0.5
            {"id": "b", "prompt": "x", "ignore_eos": 1}             | ignore_eos: is 1, expected true or false
            {"id": "b", "prompt": "x", "top_p": 1}                  | top_p: is 1, expected no field but id, session
            {"id": "b", "prompt": "x", "prompt": "y"}               | Duplicate
            {"id": "b", "prompt": "x"                               | is not valid JSON
            {"id": "b", "prompt": "x"} {}                           | text after the JSON value
            [1]                                                     | is [1], expected an object
            hello                                                   | is not valid JSON
            """)
    void aLineThatIsNoRequestIsRefusedAloneByItsNumber(String line, String problem) {
        RequestFile file =
                parse("{\"id\": \"a\", \"prompt\": \"x\"}\n" + line + "\n{\"id\": \"z\", \"prompt\": \"x\"}\n");
        assertThat(file.requests()).extracting(RequestLine::id).containsExactly("a", "z");
        assertThat(file.refused()).hasSize(1);
        RunResult refused = file.refused().getFirst();
        assertThat(refused.finishReason()).isEqualTo(FinishReason.ERROR);
        assertThat(refused.error().orElseThrow())
                .startsWith("r.jsonl: line 2: ")
                .contains(problem);
    }

    @Test
    void aRefusalHasItsIdIfTheLineSaysOne() {
        RequestFile file = parse("{\"id\": \"a\", \"prompt\": 1}\n{\"prompt\": \"x\"}\n{\"id\": \"c\"");
        assertThat(file.refused())
                .extracting(RunResult::id)
                .containsExactly(Optional.of("a"), Optional.empty(), Optional.empty());
    }

    @Test
    void bytesThatAreNoTextAreRefusedByTheirLine() {
        byte[] bytes = "{\"id\": \"a\", \"prompt\": \"?\"}\n{\"id\": \"b\", \"prompt\": \"x\"}"
                .getBytes(StandardCharsets.UTF_8);
        bytes[23] = (byte) 0xC0;
        RequestFile file = RequestFile.parse(Path.of("r.jsonl"), bytes, MODEL);
        assertThat(file.requests()).extracting(RequestLine::id).containsExactly("b");
        assertThat(file.refused().getFirst().error().orElseThrow()).isEqualTo("r.jsonl: line 1: is not valid UTF-8");
    }

    @Test
    void aLineOfMoreThanSixteenMebibytesIsRefused() {
        String text = "x".repeat((16 << 20) - 30);
        assertThat(parse("{\"id\": \"a\", \"prompt\": \"" + text + "\"}\n").refused())
                .isEmpty();
        RequestFile file =
                parse("{\"id\": \"a\", \"prompt\": \"" + text + "xxxxxxxx\"}\n{\"id\": \"b\", \"prompt\": \"x\"}");
        assertThat(file.requests()).extracting(RequestLine::id).containsExactly("b");
        assertThat(file.refused().getFirst().error().orElseThrow()).contains("line 1: is longer than 16777216 bytes");
    }
}
