package org.hotrow.engine;

/** Rows in one heap array: row t starts at {@code from + t * stride}. */
final class CpuActivation implements Activation {
    private static final int MAX_ELEMENTS = Integer.MAX_VALUE - 8;

    private final float[] data;
    private final int from;
    private final int width;
    private final int stride;

    private CpuActivation(float[] data, int from, int width, int stride) {
        this.data = data;
        this.from = from;
        this.width = width;
        this.stride = stride;
    }

    static CpuActivation of(int rows, int width) {
        return new CpuActivation(new float[elements(rows, width)], 0, width, width);
    }

    /** Elements of a buffer that one array has to hold. */
    static int elements(int rows, int width) {
        long elements = (long) rows * width;
        if (elements > MAX_ELEMENTS) {
            throw new EngineException("a buffer of " + rows + " rows x " + width + " values is larger than the "
                    + MAX_ELEMENTS + " that an array holds: lower --max-batched-tokens");
        }
        return (int) elements;
    }

    static CpuActivation of(Activation activation) {
        return (CpuActivation) activation;
    }

    float[] data() {
        return data;
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public CpuActivation columns(int first, int count) {
        if (first < 0 || count < 0 || first + count > width) {
            throw new IndexOutOfBoundsException("columns " + first + " + " + count + " of " + width);
        }
        return new CpuActivation(data, from + first, count, stride);
    }

    /** Index of the first element of {@code row}. */
    int at(int row) {
        return from + row * stride;
    }
}
