package org.hotrow.modelloader;

import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON of a model file, read token by token within bounds: strict UTF-8, no duplicate names, limited length, depth,
 * names, strings and numbers (limits hold to within a parser buffer). Whatever is wrong becomes a {@link ModelFormatException} with line and column.
 */
final class JsonText {
    private static final int MAX_DEPTH = 64;
    private static final int MAX_NUMBER_LENGTH = 64;

    private JsonText() {}

    /**
     * Feeds the one JSON value in {@code bytes} to {@code reader}, which must consume all of it: anything but white
     * space after it is refused. Closes {@code bytes}.
     *
     * @param where the part of the file that the text is; empty for the whole file
     * @param maxLength longest document, in characters
     * @param maxText longest name or string, in characters
     */
    static void read(
            Path file, String where, InputStream bytes, long maxLength, int maxText, Consumer<JsonParser> reader) {
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxDocumentLength(maxLength)
                        .maxNestingDepth(MAX_DEPTH)
                        .maxNumberLength(MAX_NUMBER_LENGTH)
                        .maxNameLength(maxText)
                        .maxStringLength(maxText)
                        .build())
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        // The JDK's decoder refuses every malformed sequence, overlong ones too.
        var decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        try (JsonParser json = factory.createParser(ObjectReadContext.empty(), new InputStreamReader(bytes, decoder))) {
            if (json.nextToken() == null) {
                throw new ModelFormatException(file, where, "is empty, expected JSON");
            }
            reader.accept(json);
            if (json.nextToken() != null) {
                throw refusal(file, where, json, "text after the JSON value");
            }
        } catch (JacksonException e) {
            if (e.getCause() instanceof CharacterCodingException) {
                throw new ModelFormatException(file, where, "is not valid UTF-8", e);
            }
            String problem = e instanceof StreamConstraintsException ? "exceeds a limit: " : "is not valid JSON: ";
            throw new ModelFormatException(file, where, problem + describe(e), e);
        }
    }

    /** A refusal of what the parser stands on, with its line and column. */
    static ModelFormatException refusal(Path file, String where, JsonParser json, String problem) {
        var at = json.currentTokenLocation();
        return new ModelFormatException(
                file, where, problem + " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")");
    }

    private static String describe(JacksonException e) {
        @Nullable String message = e.getOriginalMessage();
        var at = e.getLocation();
        String place = at == null ? "" : " (line " + at.getLineNr() + ", column " + at.getColumnNr() + ")";
        return ModelFormatException.quote(message == null ? e.toString() : message) + place;
    }
}
