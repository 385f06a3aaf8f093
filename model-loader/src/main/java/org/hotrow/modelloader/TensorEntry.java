package org.hotrow.modelloader;

import java.nio.file.Path;
import java.util.List;

/**
 * A tensor as the header of a safetensors file declares it.
 *
 * @param shape dimensions, none negative
 * @param begin first byte, counted from the start of the data; not negative
 * @param end one behind the last byte; not below {@code begin}
 */
record TensorEntry(String name, DType dtype, List<Long> shape, long begin, long end) {

    /** Refuses offsets that do not span exactly the elements of the shape. */
    void requireSize(Path file) {
        long bits = dtype.bits();
        try {
            for (long dimension : shape) {
                bits = Math.multiplyExact(bits, dimension);
            }
        } catch (ArithmeticException e) {
            throw new ModelFormatException(file, TensorView.where(name), "shape " + shape + " overflows 64 bits", e);
        }
        if (bits % Byte.SIZE != 0) {
            throw new ModelFormatException(
                    file, TensorView.where(name), "shape " + shape + " of " + dtype + " ends within a byte");
        }
        if (end - begin != bits / Byte.SIZE) {
            throw new ModelFormatException(
                    file,
                    TensorView.where(name),
                    "data_offsets [" + begin + ", " + end + "] span " + (end - begin) + " bytes, but shape " + shape
                            + " of " + dtype + " takes " + bits / Byte.SIZE);
        }
    }
}
