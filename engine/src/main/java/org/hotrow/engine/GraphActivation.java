package org.hotrow.engine;

import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/**
 * Rows in one device array.
 *
 * @param stride values from a row to the next
 */
record GraphActivation(FloatArray data, int width, int stride) implements Activation {
    static GraphActivation of(Activation activation) {
        return (GraphActivation) activation;
    }

    /** Only the first columns: kernels begin at the first value of a row. */
    @Override
    public GraphActivation columns(int from, int count) {
        if (from != 0 || count > width) {
            throw new IndexOutOfBoundsException("columns " + from + " + " + count + " of " + width);
        }
        return new GraphActivation(data, count, stride);
    }

    /** The array, whose rows must follow each other. */
    FloatArray whole() {
        if (stride != width) {
            throw new IllegalStateException("rows of " + width + " values, " + stride + " apart");
        }
        return data;
    }
}
