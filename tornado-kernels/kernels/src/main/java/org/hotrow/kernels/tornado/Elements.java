package org.hotrow.kernels.tornado;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The sizes of arrays, which kernels index with ints. */
final class Elements {
    private Elements() {}

    /**
     * The number of elements of an array with these dimensions.
     *
     * @throws IllegalArgumentException if a dimension is below 0, or no int counts the elements
     */
    static int count(String array, long... dimensions) {
        long count = 1;
        for (long dimension : dimensions) {
            if (dimension < 0 || dimension > Integer.MAX_VALUE || count * dimension > Integer.MAX_VALUE) {
                String shape =
                        Arrays.stream(dimensions).mapToObj(Long::toString).collect(Collectors.joining(" x "));
                throw new IllegalArgumentException(
                        array + " of " + shape + ": expected at most " + Integer.MAX_VALUE + " elements");
            }
            count *= dimension;
        }
        return (int) count;
    }
}
