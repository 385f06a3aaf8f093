package uk.ac.manchester.tornado.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The emulator and TornadoVM's own jar offer what the committed list says, so that one build runs on either. */
class SignaturesTest {
    private static final String LIST = "signatures.txt";

    @Test
    void theEmulatorHasExactlyTheListedSignatures() throws IOException, URISyntaxException, ClassNotFoundException {
        URI classes = TaskGraph.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI();
        Set<String> actual = Signatures.of(Path.of(classes), TaskGraph.class.getClassLoader(), Set.of());
        Path copy = Path.of("target", LIST);
        Files.writeString(copy, String.join("\n", actual) + "\n");
        assertThat(actual)
                .as("signatures; if the change is meant, copy %s to src/test/resources", copy)
                .containsExactlyInAnyOrderElementsOf(listed());
    }

    @Test
    void theSdkHasTheListedSignatures() throws IOException, ClassNotFoundException {
        @Nullable Path jar = sdkJar();
        assumeTrue(jar != null, "TORNADOVM_HOME is not set");
        Path sdk = Objects.requireNonNull(jar);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {sdk.toUri().toURL()}, ClassLoader.getPlatformClassLoader())) {
            Set<String> actual = Signatures.of(sdk, loader, Signatures.classesOf(listed()));
            Set<String> missing = new TreeSet<>(listed());
            missing.removeAll(actual);
            assertThat(missing).as("listed, but not in %s", sdk).isEmpty();
        }
    }

    private static @Nullable Path sdkJar() throws IOException {
        String home = System.getenv("TORNADOVM_HOME");
        if (home == null || home.isEmpty()) {
            return null;
        }
        Path folder = Path.of(home, "share", "java", "tornado");
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "tornado-api-*.jar")) {
            for (Path jar : jars) {
                return jar;
            }
        }
        throw new AssertionError("there is no tornado-api-*.jar in " + folder);
    }

    private static Set<String> listed() {
        try (InputStream list = Objects.requireNonNull(SignaturesTest.class.getResourceAsStream(LIST))) {
            return new TreeSet<>(new String(list.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
