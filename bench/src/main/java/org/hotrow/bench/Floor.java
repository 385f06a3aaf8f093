package org.hotrow.bench;

/**
 * What a piece of work can't do without.
 *
 * @param bytes read from memory
 * @param multiplyAdds f32
 */
public record Floor(long bytes, long multiplyAdds) {
    /** No work at all. */
    public static final Floor NOTHING = new Floor(0, 0);

    /** The floor of both. */
    public Floor plus(Floor other) {
        return new Floor(bytes + other.bytes, multiplyAdds + other.multiplyAdds);
    }

    /** The floor of {@code count} such pieces. */
    public Floor times(long count) {
        return new Floor(bytes * count, multiplyAdds * count);
    }

    /** The floor of one of {@code count} equal pieces, rounded down. */
    public Floor per(long count) {
        return new Floor(bytes / count, multiplyAdds / count);
    }
}
