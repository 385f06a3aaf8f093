package uk.ac.manchester.tornado.api.types.arrays;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.hotrow.emulator.ArrayMemory;
import org.hotrow.emulator.Watch;
import org.jspecify.annotations.Nullable;

/**
 * An array in native memory, with an {@code int} index.
 *
 * <pre>
 * segment with header   | 16 bytes | element 0 | element 1 | ...
 * segment                          | element 0 | element 1 | ...
 * </pre>
 *
 * Kernels get device copies: arrays of the same class, without header, whose accesses may be watched. An index outside of
 * the array throws {@link IndexOutOfBoundsException}.
 */
public abstract sealed class TornadoNativeArray
        permits ByteArray,
                FloatArray,
                HalfFloatArray,
                IntArray,
                LongArray,
                ShortArray,
                Int8Array,
                FP8Array,
                BFloat16Array {
    /** Bytes in front of element 0. */
    public static final long ARRAY_HEADER = Long.getLong("tornado.panama.objectHeader", 16);

    static {
        ArrayMemory.install(new Memory());
    }

    /** The elements. */
    final MemorySegment payload;

    private final MemorySegment memory;
    private final int size;
    private final int elementSize;
    private @Nullable Watch watch;
    private boolean filled;
    private @Nullable MemorySegment bound;

    /** Allocates zeros. */
    TornadoNativeArray(int size, int elementSize) {
        this(allocate(size, elementSize), ARRAY_HEADER, elementSize);
    }

    /** Wraps a segment whose elements begin behind {@code header} bytes. */
    TornadoNativeArray(MemorySegment memory, long header, int elementSize) {
        if (memory.byteSize() < header) {
            throw new IllegalArgumentException(
                    memory.byteSize() + " bytes don't hold the header of " + header + " bytes");
        }
        this.size = elements(memory.byteSize() - header, elementSize);
        this.elementSize = elementSize;
        this.memory = memory;
        this.payload = memory.asSlice(header);
    }

    private static MemorySegment allocate(int size, int elementSize) {
        if (size < 0) {
            throw new IllegalArgumentException("an array of " + size + " elements");
        }
        return Arena.ofAuto().allocate(ARRAY_HEADER + (long) size * elementSize, 16);
    }

    /** The number of elements that fill {@code bytes} exactly. */
    static int elements(long bytes, int elementSize) {
        if (bytes % elementSize != 0 || bytes / elementSize > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(bytes + " bytes are not at most " + Integer.MAX_VALUE + " elements of "
                    + elementSize + (elementSize == 1 ? " byte" : " bytes"));
        }
        return (int) (bytes / elementSize);
    }

    /** An array of the same class whose elements are a segment. */
    abstract TornadoNativeArray over(MemorySegment elements);

    /** Called before an element is read. */
    final void reading(int index) {
        Watch heard = watch;
        if (heard != null) {
            heard.read(index);
        }
    }

    /** Called before an element is written. */
    final void writing(int index) {
        Watch heard = watch;
        if (heard != null) {
            heard.write(index);
        }
    }

    /** Halves are read in aligned pairs. */
    static void requireEven(int index) {
        if ((index & 1) != 0) {
            throw new IllegalArgumentException("index " + index + " is not even");
        }
    }

    /** Number of elements. */
    public int getSize() {
        return size;
    }

    /** The elements, without the header; accesses to it are not watched. */
    public MemorySegment getSegment() {
        return payload;
    }

    /** Header and elements; accesses to it are not watched. */
    public MemorySegment getSegmentWithHeader() {
        return memory;
    }

    /** Bytes of header and elements. */
    public long getNumBytesOfSegmentWithHeader() {
        return memory.byteSize();
    }

    /** Bytes of the elements. */
    public long getNumBytesOfSegment() {
        return payload.byteSize();
    }

    /** Bytes of one element. */
    public int getElementSize() {
        return elementSize;
    }

    /** Sets all elements to zero. */
    public void clear() {
        payload.fill((byte) 0);
    }

    /** Class and number of elements. */
    @Override
    public String toString() {
        return getClass().getSimpleName() + "[" + size + "]";
    }

    private static final class Memory extends ArrayMemory {
        @Override
        public TornadoNativeArray over(TornadoNativeArray like, MemorySegment elements) {
            return like.over(elements);
        }

        @Override
        public @Nullable Watch watch(TornadoNativeArray array) {
            return array.watch;
        }

        @Override
        public void setWatch(TornadoNativeArray array, @Nullable Watch watch) {
            array.watch = watch;
        }

        @Override
        public void bind(TornadoNativeArray array, MemorySegment elements) {
            array.bound = elements;
        }

        @Override
        public @Nullable MemorySegment bound(TornadoNativeArray array) {
            return array.bound;
        }

        @Override
        public boolean isFilled(TornadoNativeArray array) {
            return array.filled;
        }

        @Override
        public void setFilled(TornadoNativeArray array) {
            array.filled = true;
        }
    }
}
