package org.hotrow.allocator;

/**
 * A batch that can't be planned now.
 *
 * @param reason what is short
 * @param request the first request that did not fit, or the last of the batch when all together don't
 * @param missing blocks or seats that are short, or pages of the host for an import
 * @param copiesInFlight copies to the host that have not completed; while there are any, waiting may help
 */
public record Refusal(Reason reason, KvRequest request, int missing, int copiesInFlight) implements PlanResult {
    /** What is short. */
    public enum Reason {
        /** No seat for a new request: it waits. */
        SEATS,
        /** The pool is full of what the admitted requests need in the long run: a new request waits. */
        ADMISSION,
        /**
         * Blocks for this step, or pages of the host for an import: ask for fewer tokens, for fewer requests, or have the
         * youngest make room.
         */
        BLOCKS
    }
}
