package org.hotrow.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.hotrow.engine.CacheFormat;
import org.hotrow.engine.CacheOptions;
import org.hotrow.engine.Completion;
import org.hotrow.engine.Generator;
import org.hotrow.engine.LoadProgress;
import org.hotrow.engine.Model;
import org.hotrow.engine.Sampling;
import org.hotrow.engine.lanes.LanesChoice;
import org.hotrow.kernels.IndexFormat;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.Tokenizer;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What the format of the cache does to the demo model's answers: prints a Markdown table.
 *
 * <pre>
 * texts     the goldens' prompts and questions for a story, each continued greedily with an fp32 cache
 * needles   prose with four secret numbers, one of them asked for at a distance of 128 to 2,000 tokens
 *
 * same token   the likeliest token after each token of the texts, and of the needles, is that of the fp32 cache
 * same text    greedy texts that equal the fp32 ones to the end, and the first token where one of them differs
 * found        needles all four of whose digits are likeliest
 * </pre>
 */
public final class FormatQuality {
    private static final int CONTINUED = 128;
    private static final int[] DISTANCES = {128, 256, 512, 1024, 2000};
    private static final int SEEDS = 8;
    private static final List<KvDtype> DTYPES = List.of(KvDtype.FP32, KvDtype.BF16, KvDtype.FP8);
    private static final List<String> HEROES = List.of(
            "fox", "rabbit", "bear", "mouse", "owl", "frog", "duck", "cat", "dog", "turtle", "goat", "horse", "wolf",
            "deer", "crow");

    /** Of one format: per prompt its greedy text, per text and per needle the likeliest token after each token. */
    private record Answers(List<int[]> greedy, List<int[]> inTexts, List<int[]> inNeedles) {}

    private final PrintStream out;
    private final List<int[]> prompts = new ArrayList<>();
    private final List<int[]> texts = new ArrayList<>();
    private final List<int[]> needles = new ArrayList<>();
    private final Map<KvDtype, Answers> answers = new EnumMap<>(KvDtype.class);

    private FormatQuality(PrintStream out) {
        this.out = out;
    }

    /** Takes the folder of the demo model. */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: quality   (it takes the folder of the demo model from its launcher)");
            System.exit(2);
        }
        Path folder = Path.of(args[0]);
        FormatQuality quality = new FormatQuality(System.out);
        quality.collect(folder);
        try (Model model = Model.open(folder)) {
            for (KvDtype dtype : DTYPES) {
                quality.ask(model, dtype);
            }
            quality.print(model.config());
        }
    }

    private void collect(Path folder) throws IOException {
        Tokenizer tokenizer = Tokenizer.read(folder.resolve("tokenizer.json"));
        String prose = "";
        try (var goldens = Files.newDirectoryStream(folder.resolve("golden"), "*.json")) {
            for (Path golden : goldens) {
                String prompt = stringField(golden, "prompt_text");
                prompts.add(tokenizer.encode(prompt));
                prose = prompt.length() > prose.length() ? prompt : prose;
            }
        }
        for (String hero : HEROES) {
            prompts.add(tokenizer.encode("[gMASK]<sop><|user|>\nTell me a story about a " + hero + ".<|assistant|>\n"));
        }
        NeedleTexts needleTexts = new NeedleTexts(tokenizer, prose);
        for (int distance : DISTANCES) {
            for (int seed = 0; seed < SEEDS; seed++) {
                needles.add(needleTexts.text(distance, seed));
            }
        }
    }

    private void ask(Model model, KvDtype dtype) {
        int threads = Runtime.getRuntime().availableProcessors();
        System.err.println("asking with a cache of " + dtype);
        try (Generator generator = new Generator(
                model,
                CacheFormat.of(dtype),
                CacheOptions.DEFAULT,
                model.config().contextLength(),
                1,
                LanesChoice.of(LanesChoice.Mode.auto).lanes(),
                threads,
                512,
                LoadProgress.NONE)) {
            List<int[]> greedy = new ArrayList<>();
            for (int[] prompt : prompts) {
                Completion completion =
                        generator.generate(prompt, CONTINUED, Sampling.GREEDY, true, id -> true, () -> false);
                greedy.add(completion.outputIds().stream()
                        .mapToInt(Integer::intValue)
                        .toArray());
            }
            for (int i = 0; texts.size() < prompts.size(); i++) {
                texts.add(joined(prompts.get(i), greedy.get(i)));
            }
            answers.put(
                    dtype,
                    new Answers(
                            greedy,
                            texts.stream().map(generator::likeliest).toList(),
                            needles.stream().map(generator::likeliest).toList()));
        }
    }

    private void print(ModelConfig config) {
        Answers exact = Objects.requireNonNull(answers.get(KvDtype.FP32));
        int positions = exact.inTexts.stream().mapToInt(ids -> ids.length).sum();
        int needlePositions =
                exact.inNeedles.stream().mapToInt(ids -> ids.length).sum();
        out.printf(
                Locale.ROOT,
                "| cache | bytes of a row + an index key | same token, %,d in texts | same token, %,d in needles "
                        + "| same text of %d tokens | first difference | found |%n| --- | --- | --- | --- | --- | --- | --- |%n",
                positions,
                needlePositions,
                CONTINUED);
        for (KvDtype dtype : DTYPES) {
            Answers given = Objects.requireNonNull(answers.get(dtype));
            int found = 0;
            for (int i = 0; i < needles.size(); i++) {
                found += NeedleTexts.found(needles.get(i), given.inNeedles.get(i)) ? 1 : 0;
            }
            int[] differ = firstDifferences(given.greedy, exact.greedy);
            CacheFormat cache = CacheFormat.of(dtype);
            int row = cache.rowFormat(config).rowBytes();
            int key = cache.keyFormat(config).pageBytes() / IndexFormat.TOKENS;
            out.printf(
                    Locale.ROOT,
                    "| %s | %,d + %d | %.2f %% | %.2f %% | %d of %d | %s | %d of %d |%n",
                    dtype.name().toLowerCase(Locale.ROOT),
                    row,
                    key,
                    100.0 * equal(given.inTexts, exact.inTexts) / positions,
                    100.0 * equal(given.inNeedles, exact.inNeedles) / needlePositions,
                    prompts.size() - differ.length,
                    prompts.size(),
                    differ.length == 0 ? "" : "token " + differ[0],
                    found,
                    needles.size());
        }
    }

    private static int equal(List<int[]> lists, List<int[]> others) {
        int equal = 0;
        for (int i = 0; i < lists.size(); i++) {
            for (int j = 0; j < lists.get(i).length; j++) {
                equal += lists.get(i)[j] == others.get(i)[j] ? 1 : 0;
            }
        }
        return equal;
    }

    /** Of the texts that differ, the number of the first token that does, from 1, ascending. */
    private static int[] firstDifferences(List<int[]> texts, List<int[]> others) {
        List<Integer> first = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            int at = Arrays.mismatch(texts.get(i), others.get(i));
            if (at >= 0) {
                first.add(at + 1);
            }
        }
        return first.stream().mapToInt(Integer::intValue).sorted().toArray();
    }

    private static int[] joined(int[] first, int[] second) {
        int[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    /** A string field of a JSON object. */
    private static String stringField(Path file, String name) {
        try (JsonParser json = new JsonFactory().createParser(ObjectReadContext.empty(), file)) {
            while (json.nextToken() != null) {
                if (json.currentToken() == JsonToken.PROPERTY_NAME && name.equals(json.currentName())) {
                    json.nextToken();
                    return json.getString();
                }
            }
        }
        throw new IllegalArgumentException(file + ": has no " + name);
    }
}
