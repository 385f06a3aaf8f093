package org.hotrow.engine.lanes;

/** What a 32-bit word of a packed matrix holds; the lowest bits belong to the lowest column. */
public enum Packing {
    /** Four e4m3 codes, none of them NaN. */
    E4M3(4),
    /** Two bf16. */
    BF16(2),
    /** One float. */
    F32(1);

    private final int columns;

    Packing(int columns) {
        this.columns = columns;
    }

    /** Columns of one word. */
    int columns() {
        return columns;
    }

    /** Bytes of one element. */
    public int bytes() {
        return Integer.BYTES / columns;
    }
}
