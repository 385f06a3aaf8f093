package org.hotrow.kernels.lint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.instruction.LocalVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.hotrow.kernels.tornado.Residual;
import org.junit.jupiter.api.Test;

class KernelLintTest {
    private static final Pattern MARK = Pattern.compile("// ([A-Z_]+)$");

    @Test
    void kernelsOfHotrowKeepTheRules() throws IOException, URISyntaxException {
        List<byte[]> classes = new ArrayList<>();
        Path root = Path.of(Residual.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        try (Stream<Path> files = Files.list(root.resolve("org/hotrow/kernels/tornado"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".class")).toList()) {
                classes.add(Files.readAllBytes(file));
            }
        }

        assertThat(KernelLint.kernels(classes)).contains("Residual.add", "Fp8Linear.multiply", "W8a8.multiply");
        assertThat(KernelLint.findings(classes)).isEmpty();
    }

    @Test
    void namesRuleAndLineOfEachWrongKernel() throws IOException {
        TreeMap<Integer, String> expected = new TreeMap<>();
        List<String> source = Files.readAllLines(Path.of("src/test/java/org/hotrow/kernels/lint/WrongKernels.java"));
        for (int line = 1; line <= source.size(); line++) {
            Matcher mark = MARK.matcher(source.get(line - 1));
            if (mark.find()) {
                expected.put(line, mark.group(1));
            }
        }

        TreeMap<Integer, String> found = new TreeMap<>();
        KernelLint.findings(List.of(bytes(WrongKernels.class), bytes(RightKernels.class)))
                .forEach(finding -> found.put(finding.line(), finding.rule().name()));

        assertThat(found).isEqualTo(expected);
        assertThat(found.values()).contains(rules());
    }

    @Test
    void saysWhereAndWhatToDo() {
        assertThat(KernelLint.findings(List.of(bytes(WrongKernels.class))))
                .extracting(Finding::toString)
                .anySatisfy(
                        text -> assertThat(text)
                                .matches(
                                        "WrongKernels.breaksWithASum, line \\d+: LOOP_EXIT_VALUE of sum: .*run on with a flag.*"))
                .anySatisfy(text -> assertThat(text)
                        .matches("WrongKernels.findsBits, line \\d+: UNSUPPORTED_CALL java/lang/Math.abs\\(I\\)I: .*"));
    }

    @Test
    void findsNothingWrongWithRightKernels() {
        assertThat(KernelLint.findings(List.of(bytes(RightKernels.class)))).isEmpty();
        assertThat(KernelLint.kernels(List.of(bytes(RightKernels.class))))
                .contains("RightKernels.searches", "RightKernels.sumsAWarp")
                .doesNotContain("RightKernels.sumOfWarp");
    }

    @Test
    void missesTheNamesOfVariables() {
        byte[] bytes = ClassFile.of()
                .transformClass(
                        ClassFile.of().parse(bytes(RightKernels.class)),
                        ClassTransform.transformingMethodBodies((code, element) -> {
                            if (!(element instanceof LocalVariable)) {
                                code.with(element);
                            }
                        }));

        assertThat(KernelLint.findings(List.of(bytes))).anySatisfy(finding -> {
            assertThat(finding.method()).isEqualTo("RightKernels.searches");
            assertThat(finding.rule()).isEqualTo(Rule.NO_VARIABLE_NAMES);
        });
    }

    private static String[] rules() {
        return Stream.of(Rule.values())
                .filter(rule -> rule != Rule.NO_VARIABLE_NAMES)
                .map(Rule::name)
                .toArray(String[]::new);
    }

    private static byte[] bytes(Class<?> type) {
        try (InputStream file = type.getResourceAsStream(type.getSimpleName() + ".class")) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
