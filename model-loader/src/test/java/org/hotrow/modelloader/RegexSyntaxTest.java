package org.hotrow.modelloader;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.hotrow.modelloader.TokenizerJson.byteLevel;
import static org.hotrow.modelloader.TokenizerJson.split;

import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegexSyntaxTest {
    @TempDir
    private Path folder;

    /** Each means something else to Oniguruma, or to one of the two nothing. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\w",
                "\\W",
                "\\b",
                "\\h",
                "\\v",
                "\\R",
                "\\X",
                "\\A",
                "\\z",
                "\\Z",
                "\\G",
                "\\K",
                "\\1",
                "\\k<a>",
                "\\x41",
                "\\x{41}",
                "\\u0041",
                "\\e",
                "\\a",
                "\\cA",
                "\\07",
                "\\Qa\\E",
                "\\N{DIGIT ONE}",
                "\\\u00E9",
                "\\pL",
                "\\p{Alpha}",
                "\\p{IsL}",
                "\\p{Han}",
                "\\p{^L}",
                "\\p{L",
                "\\p",
                "\\p{}",
                "\\p{Cs}",
                ".",
                "^a",
                "a$",
                "[[:alpha:]]",
                "[a[bc]]",
                "[a&&b]",
                "[]",
                "[]a]",
                "[^]",
                "[a",
                "[\\d-z]",
                "[a-\\d]",
                "[z-a]",
                "[a-c-e]",
                "[\\w]",
                "[a\\]",
                "]",
                "}",
                "{",
                "a{",
                "a{,2}",
                "a{2,1}",
                "a{1001}",
                "a{99999999999}",
                "a{2}+",
                "a{2}?",
                "a{2}{3}",
                "a**",
                "a???",
                "*a",
                "+",
                "?",
                "(?i)a",
                "(?m:a)",
                "(?s:a)",
                "(?x:a)",
                "(?-i:a)",
                "(?<n>a)",
                "(?<=a)",
                "(?<!a)",
                "(?>a)",
                "(?~a)",
                "(?#a)",
                "(?=a)*",
                "(?!a)+",
                "(a",
                "a)",
                "(?:a",
                "(",
                "\\",
                "(?i:a",
                "(?i:\u00E9)",
                "(?i:ss)",
                "(?i:St)",
                "(?i:i)",
                "(?i:[a])",
                "(?i:a+)",
                "(?i:\\p{L})",
                "(?i:(a))",
                "(?i:a.)"
            })
    void refusesWhatTheEnginesReadDifferently(String pattern) {
        assertThatThrownBy(() -> RegexSyntax.check(pattern)).isInstanceOf(PatternSyntaxException.class);
    }

    /** Could be tried without end and without reading a character. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "()",
                "(?:)",
                "(?:){1000}",
                "(?:|){30}(?!)",
                "(?!)",
                "(?=|a)",
                "(?:a|)",
                "(?:|a)",
                "(?:a||b)",
                "(?:a?|b)",
                "(?:a*)*",
                "(?:a*b?)",
                "(?:a{0,3})",
                "(?:(?!a))",
                "(?:a|b*+|c)",
                "(?i:)",
                "(?i:a|)",
                "(?i:|a)",
                "(?i:a||b)"
            })
    void refusesGroupsThatMayMatchNothing(String pattern) {
        assertThatThrownBy(() -> RegexSyntax.check(pattern)).isInstanceOf(PatternSyntaxException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a|b||",
                "(a|b?c|(?!d)e)c",
                "(?:a)|b*",
                "a?b*c+",
                "a??b*?c+?",
                "a?+b*+c++",
                "a{2}b{2,}c{2,3}",
                "(?=a)b(?!c)",
                "[-a]",
                "[a-]",
                "[^-a]",
                "[^^]",
                "[a-c\\-x]",
                "[\\]\\[]",
                "[!-/:-@]",
                "[\u4E00-\u9FA5]",
                "[&]",
                "[\\s\\S]",
                "[\uD83D\uDE00-\uD83D\uDE4F]",
                "\\\\\\.\\-\\{",
                "(?i:'s|'T|'LL)x",
                " #,/",
                "\\p{Lu}\\P{N}\\r\\n\\t\\f"
            })
    void acceptsWhatTheyReadAlike(String pattern) {
        RegexSyntax.check(pattern);
        assertThatCode(() -> Pattern.compile(pattern, Pattern.UNICODE_CHARACTER_CLASS))
                .doesNotThrowAnyException();
    }

    @Test
    void boundsLengthAndDepth() {
        RegexSyntax.check("(".repeat(32) + "a" + ")".repeat(32));
        assertThatThrownBy(() -> RegexSyntax.check("(".repeat(33) + ")".repeat(33)))
                .hasMessageContaining("nested");
        assertThatThrownBy(() -> RegexSyntax.check("a".repeat(4097))).hasMessageContaining("longer");
    }

    /** What passes the check splits text as the library does. */
    @Test
    void readsRandomPatternsAsTheLibrary() {
        var patterns = new RandomPattern(33);
        for (int accepted = 0; accepted < 200; ) {
            String pattern = patterns.next();
            try {
                RegexSyntax.check(pattern);
            } catch (PatternSyntaxException e) {
                continue;
            }
            accepted++;
            Path file = new TokenizerJson()
                    .preTokenizers(split("Regex", pattern, "Removed", accepted % 2 == 0), byteLevel(true, false))
                    .write(folder);
            Tokenizer tokenizer = Tokenizer.read(file);
            try (var library = new TokenizersLibrary(file)) {
                for (int i = 0; i < 20; i++) {
                    String text = patterns.text();
                    assertThat(tokenizer.encode(text))
                            .as("%s on %s", pattern, text)
                            .isEqualTo(library.encode(text));
                }
            }
        }
    }

    /** All that the tables of the two engines could differ in. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\\s",
                "\\S",
                "\\d",
                "\\D",
                "[^\\s\\p{L}\\p{N}]",
                "(?i:'s|'k|a)",
                "\\p{L}",
                "\\p{Lu}",
                "\\p{Ll}",
                "\\p{Lt}",
                "\\p{Lm}",
                "\\p{Lo}",
                "\\p{M}",
                "\\p{Mn}",
                "\\p{Mc}",
                "\\p{Me}",
                "\\p{N}",
                "\\p{Nd}",
                "\\p{Nl}",
                "\\p{No}",
                "\\p{P}",
                "\\p{Pc}",
                "\\p{Pd}",
                "\\p{Ps}",
                "\\p{Pe}",
                "\\p{Pi}",
                "\\p{Pf}",
                "\\p{Po}",
                "\\p{S}",
                "\\p{Sm}",
                "\\p{Sc}",
                "\\p{Sk}",
                "\\p{So}",
                "\\p{Z}",
                "\\p{Zs}",
                "\\p{Zl}",
                "\\p{Zp}",
                "\\p{C}",
                "\\p{Cc}",
                "\\p{Cf}",
                "\\p{Cn}",
                "\\p{Co}",
                "\\P{L}"
            })
    void readsClassesAsTheLibrary(String pattern) {
        Path file = new TokenizerJson()
                .preTokenizers(split("Regex", pattern, "Removed", false), byteLevel(false, false))
                .write(folder);
        Tokenizer tokenizer = Tokenizer.read(file);
        StringBuilder text = new StringBuilder();
        for (int c = 0; c < 0x110000; c++) {
            if (isOfInterest(c)) {
                text.appendCodePoint(c);
            }
        }
        try (var library = new TokenizersLibrary(file)) {
            assertThat(tokenizer.encode(text.toString())).isEqualTo(library.encode(text.toString()));
        }
    }

    /** The ends of every run of one category, and samples. */
    private static boolean isOfInterest(int c) {
        int type = Character.getType(c);
        boolean end = type != Character.getType(c - 1) || type != Character.getType(c + 1);
        return type != Character.SURROGATE && (end || c % 509 == 0);
    }
}
