package org.hotrow.bench;

import java.util.Arrays;

/**
 * A recorded request.
 *
 * @param blocks name of each full block of the prompt
 */
@SuppressWarnings("ArrayRecordComponent") // Not compared, and read by TraceIds only.
record TraceTurn(double start, int prompt, int output, int[] blocks) {
    /** Whether a later prompt begins with all full blocks of this one. */
    boolean continuedBy(TraceTurn later) {
        return later.blocks.length >= blocks.length
                && Arrays.equals(later.blocks, 0, blocks.length, blocks, 0, blocks.length);
    }
}
