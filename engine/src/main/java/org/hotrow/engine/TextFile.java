package org.hotrow.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Text files that users name: UTF-8, of bounded size. */
public final class TextFile {
    private static final int MAX_BYTES = 64 << 20;

    private TextFile() {}

    /**
     * All of a file.
     *
     * @throws RequestException if the file is missing, too large or not UTF-8
     */
    public static String read(Path file) {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(MAX_BYTES + 1);
            if (bytes.length > MAX_BYTES) {
                throw new RequestException(file + ": has more than " + MAX_BYTES + " bytes");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (NoSuchFileException e) {
            throw new RequestException(file + ": does not exist", e);
        } catch (CharacterCodingException e) {
            throw new RequestException(file + ": is not UTF-8", e);
        } catch (IOException e) {
            throw new RequestException(file + ": can't be read: " + e.getMessage(), e);
        }
    }
}
