package org.hotrow.modelloader.template;

/**
 * What one rendering may use. Beyond any of these it ends with {@link TemplateException.Kind#LIMIT}.
 *
 * @param range most numbers in one {@code range()}
 * @param steps most steps: one per statement, expression and item, and one per 64 characters made or searched
 * @param outputChars most characters printed
 * @param valueChars most characters of one string, and most items of one list
 * @param depth deepest nesting of calls and of values, at most {@value #MAX_DEPTH}
 */
public record TemplateLimits(int range, long steps, int outputChars, int valueChars, int depth) {
    /** Nesting for which a thread's usual stack is enough. */
    public static final int MAX_DEPTH = 200;

    /** Generous for any conversation of a million tokens, out of reach of none that a machine could hold up. */
    public static final TemplateLimits DEFAULT = new TemplateLimits(100_000, 1_000_000, 1 << 22, 1 << 22, MAX_DEPTH);

    public TemplateLimits {
        if (range < 1 || steps < 1 || outputChars < 1 || valueChars < 1) {
            throw new IllegalArgumentException("limits must be positive");
        }
        if (depth < 1 || depth > MAX_DEPTH) {
            throw new IllegalArgumentException("depth must be 1 to " + MAX_DEPTH + ", not " + depth);
        }
    }
}
