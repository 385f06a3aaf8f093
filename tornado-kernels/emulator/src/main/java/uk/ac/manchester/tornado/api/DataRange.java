package uk.ac.manchester.tornado.api;

import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** Consecutive elements of an array, to be copied to the host. Both offset and size must be given. */
public class DataRange {
    private final TornadoNativeArray array;
    private long offset = -1;
    private long size = -1;

    /** A range of an array, yet without bounds. */
    public DataRange(TornadoNativeArray array) {
        this.array = array;
    }

    /** Sets the first element. */
    public DataRange withOffset(long offset) {
        this.offset = offset;
        return this;
    }

    /** Sets the number of elements. */
    public DataRange withSize(long size) {
        this.size = size;
        return this;
    }

    TornadoNativeArray array() {
        return array;
    }

    /** Copies the range to the host. */
    void copyFrom(DeviceMemory memory) {
        if (offset < 0 || size < 0 || offset > array.getSize() - size) {
            throw new TornadoRuntimeException("a DataRange needs withOffset and withSize within the array's "
                    + array.getSize() + " elements; they are " + offset + " and " + size);
        }
        memory.download(array, offset, size);
    }
}
