package org.hotrow.engine;

/**
 * Guesses of the next tokens of a request.
 *
 * <pre>
 * known tokens .. t | guess 0 | guess 1 | ...      guess i is right if all before it are, and the model says it too
 * </pre>
 */
final class Drafts {
    private final int[] tokens;
    private int count;

    /** Room for so many guesses. */
    Drafts(int most) {
        tokens = new int[most];
    }

    /** Guesses that there is room for. */
    int most() {
        return tokens.length;
    }

    /** Guesses that there are. */
    int count() {
        return count;
    }

    int token(int guess) {
        if (guess >= count) {
            throw new IndexOutOfBoundsException("guess " + guess + " of " + count);
        }
        return tokens[guess];
    }

    void add(int token) {
        tokens[count++] = token;
    }

    void clear() {
        count = 0;
    }
}
