package org.hotrow.modelloader.template;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every conversation and every snippet of the goldens. */
class TemplateGoldenTest {
    @Test
    void rendersEveryConversationAsTheReferenceDoes() {
        Map<String, Integer> equal = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (DictValue golden : Goldens.cases()) {
            String template = Goldens.text(golden, "template");
            String verdict = verdict(golden, Goldens.template(template));
            if (verdict.equals("ok") || verdict.equals("failed as expected")) {
                equal.merge(template, 1, Integer::sum);
            } else {
                wrong.add(template + " " + Goldens.text(golden, "name") + ": " + verdict);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(equal)
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "glm-5.jinja", 12,
                        "glm-5.1.jinja", 12,
                        "glm-5.2.jinja", 12,
                        "glm-5.3.jinja", 12,
                        "deepseek-v3-like.jinja", 23,
                        "qwen3-like.jinja", 25));
    }

    @Test
    void rendersEverySnippetAsTheReferenceDoesOrRefusesRareOnes() {
        Map<String, Integer> verdicts = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        for (DictValue golden : Goldens.snippets()) {
            String verdict = snippetVerdict(golden);
            boolean edge = Goldens.text(golden, "level").equals("edge");
            if (edge && verdict.startsWith("refused")) {
                refused.add(Goldens.text(golden, "id"));
            } else if (!verdict.equals("ok") && !verdict.equals("failed as expected")) {
                wrong.add(Goldens.text(golden, "id") + ": " + verdict);
            }
            verdicts.merge(verdict.startsWith("refused") ? "refused" : verdict, 1, Integer::sum);
        }
        assertThat(wrong).isEmpty();
        assertThat(refused).containsExactlyInAnyOrder("strfilter-08", "strfilter-11", "strmethod-10", "strmethod-13");
        assertThat(verdicts)
                .containsExactlyInAnyOrderEntriesOf(Map.of("ok", 230, "refused", 4, "failed as expected", 255));
    }

    @Test
    void rendersRandomTemplatesAsTheReferenceDoes() {
        DictValue random = Goldens.random();
        List<String> wrong = new ArrayList<>();
        List<DictValue> snippets = Goldens.objects(Objects.requireNonNull(random.get("snippets")));
        for (DictValue snippet : snippets) {
            String source = Goldens.text(snippet, "template");
            String output = Template.compile(source, "random")
                    .render(Goldens.context(random), TemplateLimits.DEFAULT, Goldens.clock(random))
                    .chars();
            if (!output.equals(Goldens.text(snippet, "output"))) {
                wrong.add(source + " gave " + output);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(snippets).hasSize(620);
    }

    private static String snippetVerdict(DictValue golden) {
        Template template;
        try {
            template = Template.compile(Goldens.text(golden, "template"), "snippet");
        } catch (TemplateException e) {
            return errorVerdict(golden, e);
        }
        return verdict(golden, template);
    }

    private static String verdict(DictValue golden, Template template) {
        String expected = golden.get("output") != null
                ? Goldens.text(golden, "output")
                : golden.get("prompt") != null ? Goldens.text(golden, "prompt") : null;
        try {
            String output = template.render(Goldens.context(golden), TemplateLimits.DEFAULT, Goldens.clock(golden))
                    .chars();
            if (expected == null) {
                boolean allowed = golden.get("or_output") instanceof TemplateText or
                        && or.chars().equals(output);
                return allowed ? "failed as expected" : "rendered '" + output + "' instead of failing";
            }
            return output.equals(expected) ? "ok" : "rendered '" + output + "', not '" + expected + "'";
        } catch (TemplateException e) {
            return errorVerdict(golden, e);
        }
    }

    private static String errorVerdict(DictValue golden, TemplateException e) {
        if (!(golden.get("error") instanceof DictValue error)) {
            boolean clear = Set.of(TemplateException.Kind.SYNTAX, TemplateException.Kind.RUNTIME)
                    .contains(e.kind());
            return (clear ? "refused: " : "failed: ") + e.kind() + " " + e.getMessage();
        }
        String kind = e.kind().name().toLowerCase(Locale.ROOT);
        List<String> kinds = texts(error.get("kinds"));
        if (!kinds.contains(kind)) {
            return "failed with " + kind + ", not " + kinds + ": " + e.getMessage();
        }
        if (error.get("message") instanceof TemplateText message
                && !message.chars().equals(e.detail())) {
            return "failed with '" + e.detail() + "'";
        }
        boolean rightLine = !(error.get("lines") instanceof SequenceValue lines)
                || e.kind() != TemplateException.Kind.SYNTAX
                || lines.items().contains(IntValue.of(e.line()));
        return rightLine ? "failed as expected" : "failed in line " + e.line() + ": " + e.getMessage();
    }

    private static List<String> texts(@Nullable TemplateValue list) {
        return ((SequenceValue) Objects.requireNonNull(list))
                .items().stream().map(item -> ((TemplateText) item).chars()).toList();
    }
}
