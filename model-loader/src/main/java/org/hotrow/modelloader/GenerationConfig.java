package org.hotrow.modelloader;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.hotrow.modelloader.JsonValue.JsonObject;

/**
 * How a model wants its text sampled: {@code generation_config.json}, which a model folder may lack. Defaults of absent
 * fields: no sampling, temperature 1, top_p 1, top_k and min_p 0 (off), repetition_penalty 1. Other fields are ignored.
 *
 * @param eosIds tokens that end a generation, ascending; those of {@code config.json} unless the file has its own
 * @param doSample false for greedy decoding
 * @param temperature divisor of the logits; 0 means greedy
 * @param topP probability mass kept, in (0, 1]
 * @param topK tokens kept; 0 for all
 * @param minP least probability kept, as a part of the largest
 * @param repetitionPenalty divisor of the positive logits, factor of the negative ones, of tokens seen before
 */
public record GenerationConfig(
        List<Integer> eosIds,
        boolean doSample,
        double temperature,
        double topP,
        int topK,
        double minP,
        double repetitionPenalty) {
    private static final double MAX_TEMPERATURE = 1e3;
    private static final double MAX_PENALTY = 1e3;

    public GenerationConfig {
        eosIds = List.copyOf(eosIds);
    }

    /**
     * Reads {@code generation_config.json} in {@code folder}, if there is one.
     *
     * @throws ModelFormatException naming the field, if a value is out of its range
     */
    public static GenerationConfig read(Path folder, ModelConfig model) {
        Path file = folder.resolve("generation_config.json");
        JsonFields config = Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                ? JsonFields.read(file)
                : new JsonFields(file, "", new JsonObject(Map.of()));
        return new GenerationConfig(
                config.has("eos_token_id") ? config.tokenIds("eos_token_id", model.vocabSize()) : model.eosIds(),
                config.flag("do_sample", false),
                config.zeroOrMore("temperature", MAX_TEMPERATURE, 1),
                config.positive("top_p", 1, 1),
                config.whole("top_k", 0, Integer.MAX_VALUE, 0),
                config.zeroOrMore("min_p", 1, 0),
                config.positive("repetition_penalty", MAX_PENALTY, 1));
    }
}
