package org.hotrow.modelloader;

import java.util.List;
import org.hotrow.modelloader.JsonValue.JsonNumber;
import org.hotrow.modelloader.JsonValue.JsonString;

/**
 * Block FP8 weights: E4M3 values and one F32 multiplier per block of 128 rows by 128 columns; the last blocks may be
 * partial. Which matrices are quantised is not said here: a matrix is if its tensor is.
 *
 * @param powerOfTwoScales whether the scales are said to be powers of two
 */
public record Fp8(boolean powerOfTwoScales) {
    /** Rows and columns of a block. */
    public static final int BLOCK = 128;

    static Fp8 read(JsonFields quantization) {
        if (!new JsonString("fp8").equals(quantization.find("quant_method"))) {
            throw quantization.refusal(
                    "quant_method", "\"fp8\": of quantised checkpoints, Hotrow reads those in block FP8 only");
        }
        quantization.word("fmt", "e4m3");
        quantization.word("activation_scheme", "dynamic");
        JsonNumber block = new JsonNumber(Integer.toString(BLOCK));
        if (!quantization.list("weight_block_size").equals(List.of(block, block))) {
            throw quantization.refusal("weight_block_size", "[128, 128]");
        }
        quantization.word("scale_fmt", "ue8m0");
        return new Fp8(quantization.has("scale_fmt"));
    }
}
