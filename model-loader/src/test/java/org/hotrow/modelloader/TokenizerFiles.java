package org.hotrow.modelloader;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hotrow.modelloader.JsonValue.JsonObject;
import tools.jackson.core.JsonToken;

/** The tokenizer files of the tests. */
final class TokenizerFiles {
    private TokenizerFiles() {}

    /** A text with its tokens and, without special ones, the text that they make. */
    record Golden(String text, List<Integer> tokens, String shown) {
        int[] ids() {
            return tokens.stream().mapToInt(Integer::intValue).toArray();
        }
    }

    /** The {@code tokenizer.json} of a folder of the test resources. */
    static Path file(String folder) {
        return resource(folder + "/tokenizer.json");
    }

    static List<Golden> goldens() {
        Path file = resource("glm-tiny/golden_tokenizer.json");
        List<Golden> goldens = new ArrayList<>();
        try {
            JsonText.read(file, "", Files.newInputStream(file), 1 << 20, 1 << 16, json -> {
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    var golden = new JsonFields(file, "", (JsonObject) JsonText.value(json));
                    goldens.add(new Golden(
                            golden.text("text"), golden.wholes("ids", 0, 383), golden.text("decoded_skip_special")));
                }
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return goldens;
    }

    private static Path resource(String name) {
        try {
            return Path.of(Objects.requireNonNull(TokenizerFiles.class.getResource("/tokenizers/" + name), name)
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }
}
