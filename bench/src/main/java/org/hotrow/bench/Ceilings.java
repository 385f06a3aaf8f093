package org.hotrow.bench;

/**
 * What the machine does at best, with all its threads at once.
 *
 * @param readRate bytes per second, read from memory in order
 * @param multiplyAddRate f32 multiply-adds per second, out of registers
 */
record Ceilings(double readRate, double multiplyAddRate) {
    /** Seconds that {@code floor} takes at least. */
    double seconds(Floor floor) {
        return Math.max(readSeconds(floor), multiplyAddSeconds(floor));
    }

    /** Seconds that its bytes take at least. */
    double readSeconds(Floor floor) {
        return floor.bytes() / readRate;
    }

    /** Seconds that its multiply-adds take at least. */
    double multiplyAddSeconds(Floor floor) {
        return floor.multiplyAdds() / multiplyAddRate;
    }
}
