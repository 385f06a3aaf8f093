package uk.ac.manchester.tornado.api.enums;

/** Shape of a warp's matrix instruction: rows x columns of the accumulator, and the depth that is summed. */
public enum MMAShape {
    /** 16 x 8, depth 16: half and bfloat16. */
    M16N8K16,
    /** 16 x 8, depth 32: 8-bit integers and floats. */
    M16N8K32
}
