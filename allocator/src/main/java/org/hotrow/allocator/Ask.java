package org.hotrow.allocator;

/**
 * What a step is asked to compute for one request.
 *
 * @param tokens most of its known tokens that have no rows yet, 1 or more; a prefix hit comes on top
 * @param drafts guessed tokens after them, whose rows a later step may write again
 */
public record Ask(KvRequest request, int tokens, int drafts) {
    public Ask {
        if (tokens < 1 || drafts < 0) {
            throw new IllegalArgumentException(
                    "ask for " + tokens + " tokens and " + drafts + " drafts: expected at least 1 and 0");
        }
    }
}
