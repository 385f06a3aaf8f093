package org.hotrow.kernels;

/** Number format of the KV rows ({@code --kv-dtype}) and of the index keys ({@code --index-dtype}). */
public enum KvDtype {
    /** E4M3 values with f32 scales; the rotary part of a row in bf16. The production format. */
    FP8,
    /** bf16 values, no scales. */
    BF16,
    /** f32 values, no scales. The reference. */
    FP32
}
