package org.hotrow.engine;

/** Lists in one heap array: list t starts at {@code t * width}. */
final class CpuInts implements IntRows {
    private final int[] data;
    private final int width;

    private CpuInts(int[] data, int width) {
        this.data = data;
        this.width = width;
    }

    static CpuInts of(int rows, int width) {
        return new CpuInts(new int[CpuActivation.elements(rows, width)], width);
    }

    static CpuInts of(IntRows rows) {
        return (CpuInts) rows;
    }

    int[] data() {
        return data;
    }

    @Override
    public int width() {
        return width;
    }

    /** Index of the first entry of the list of {@code row}. */
    int at(int row) {
        return row * width;
    }
}
