package uk.ac.manchester.tornado.api.types.arrays;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.hotrow.emulator.ArrayMemory;
import org.hotrow.emulator.Watch;
import org.junit.jupiter.api.Test;
import uk.ac.manchester.tornado.api.types.HalfFloat;
import uk.ac.manchester.tornado.api.types.vectors.Half2;

class ArraysTest {
    private static final List<TornadoNativeArray> ALL = List.of(
            new ByteArray(5),
            new Int8Array(5),
            new FP8Array(5),
            new ShortArray(5),
            new HalfFloatArray(5),
            new BFloat16Array(5),
            new IntArray(5),
            new FloatArray(5),
            new LongArray(5));

    @Test
    void elementsLieBehindTheHeader() {
        assertThat(TornadoNativeArray.ARRAY_HEADER).isEqualTo(16);
        for (TornadoNativeArray array : ALL) {
            long bytes = 5L * array.getElementSize();
            assertThat(array.getSize()).isEqualTo(5);
            assertThat(array.getNumBytesOfSegment()).isEqualTo(bytes);
            assertThat(array.getNumBytesOfSegmentWithHeader()).isEqualTo(16 + bytes);
            assertThat(array.getSegment().address())
                    .isEqualTo(array.getSegmentWithHeader().address() + 16);
            assertThat(array.getSegment().byteSize()).isEqualTo(bytes);
        }
        assertThat(ALL.stream().map(TornadoNativeArray::getElementSize)).containsExactly(1, 1, 1, 2, 2, 2, 4, 4, 8);
    }

    @Test
    void elementsAreStoredOneAfterAnother() {
        IntArray ints = IntArray.fromElements(1, -2, 3);
        ints.set(1, 0x01020304);
        assertThat(ints.toHeapArray()).containsExactly(1, 0x01020304, 3);
        assertThat(ints.getSegment().toArray(ValueLayout.JAVA_INT)).containsExactly(1, 0x01020304, 3);
        assertThat(LongArray.fromArray(new long[] {Long.MIN_VALUE, 7}).get(0)).isEqualTo(Long.MIN_VALUE);
        assertThat(FloatArray.fromElements(0.5f, -0f).toHeapArray()).containsExactly(0.5f, -0f);
        assertThat(ShortArray.fromElements((short) -3).get(0)).isEqualTo((short) -3);
        assertThat(ByteArray.fromElements((byte) -1, (byte) 2).toHeapArray()).containsExactly(-1, 2);
        assertThat(Int8Array.fromArray(new byte[] {-128}).get(0)).isEqualTo((byte) -128);
        assertThat(BFloat16Array.fromShorts((short) 0x3F80).getFloat(0)).isEqualTo(1f);
    }

    @Test
    void smallFloatsAreRoundedWhenStored() {
        FP8Array fp8 = FP8Array.fromFloatsE4M3(1f, 1000f);
        assertThat(fp8.get(0)).isEqualTo((byte) 0x38);
        assertThat(fp8.getE4M3(1)).isEqualTo(448f);
        fp8.setE5M2(0, 1.1f);
        assertThat(fp8.getE5M2(0)).isEqualTo(1f);
        assertThat(FP8Array.fromFloatsE5M2(-2f).get(0)).isEqualTo((byte) 0xC0);
        BFloat16Array bfloats = BFloat16Array.fromFloats(1.004f);
        assertThat(bfloats.get(0)).isEqualTo((short) 0x3F81);
        assertThat(bfloats.toShortArray()).containsExactly(0x3F81);
    }

    @Test
    void halvesAreReadFromBytesAndInPairs() {
        ByteArray bytes = new ByteArray(4);
        bytes.setHalfFloat(2, new HalfFloat(1f));
        assertThat(bytes.toHeapArray()).containsExactly(0, 0, 0, 0x3C);
        assertThat(bytes.getHalfFloat(2).getFloat32()).isEqualTo(1f);
        assertThatIllegalArgumentException().isThrownBy(() -> bytes.getHalfFloat(1));
        assertThatIllegalArgumentException().isThrownBy(() -> bytes.setHalfFloat(1, new HalfFloat(1f)));

        HalfFloatArray halves = new HalfFloatArray(4);
        halves.setHalf2(2, Half2.fromFloats(1f, 2f));
        assertThat(halves.toShortArray()).containsExactly(0, 0, 0x3C00, 0x4000);
        assertThat(halves.getHalf2(2).getY().getFloat32()).isEqualTo(2f);
        assertThatIllegalArgumentException().isThrownBy(() -> halves.getHalf2(1));
        assertThatIllegalArgumentException().isThrownBy(() -> halves.setHalf2(3, new Half2()));
    }

    @Test
    void segmentsAreCopiedOrShared() {
        MemorySegment values = MemorySegment.ofArray(new int[] {4, 5, 6});
        IntArray copy = IntArray.fromSegment(values);
        values.setAtIndex(ValueLayout.JAVA_INT, 0, 9);
        assertThat(copy.toHeapArray()).containsExactly(4, 5, 6);

        MemorySegment memory = Arena.ofAuto().allocate(16 + 8, 8);
        IntArray shared = IntArray.fromSegmentShallow(memory);
        memory.set(ValueLayout.JAVA_INT, 20, 8);
        assertThat(shared.toHeapArray()).containsExactly(0, 8);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IntArray.fromSegmentShallow(memory.asSlice(0, 18)))
                .withMessageContaining("2 bytes are not");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> IntArray.fromSegmentShallow(memory.asSlice(0, 15)))
                .withMessageContaining("header of 16 bytes");
        assertThatIllegalArgumentException().isThrownBy(() -> new ByteArray(-1));
    }

    @Test
    void allElementsAreSetAtOnce() {
        FloatArray floats = new FloatArray(3);
        floats.init(2f);
        assertThat(floats.toHeapArray()).containsExactly(2f, 2f, 2f);
        floats.clear();
        assertThat(floats.toHeapArray()).containsExactly(0f, 0f, 0f);
    }

    @Test
    void indicesOutsideAreRefused() {
        IntArray ints = new IntArray(3);
        for (int index : new int[] {-1, 3, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> ints.get(index)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> ints.set(index, 1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @Test
    void theWatchHearsOfAllAccesses() {
        List<String> heard = new ArrayList<>();
        Watch watch = new Watch() {
            @Override
            public void read(int index) {
                heard.add("r" + index);
            }

            @Override
            public void write(int index) {
                heard.add("w" + index);
            }

            @Override
            public void atomic(int index) {
                heard.add("a" + index);
            }
        };
        ByteArray bytes = watched(new ByteArray(4), watch);
        bytes.set(3, bytes.get(1));
        bytes.setHalfFloat(0, bytes.getHalfFloat(2));
        HalfFloatArray halves = watched(new HalfFloatArray(4), watch);
        halves.setHalf2(0, halves.getHalf2(2));
        FP8Array fp8 = watched(new FP8Array(2), watch);
        fp8.setE4M3(0, fp8.getE5M2(1));
        BFloat16Array bfloats = watched(new BFloat16Array(2), watch);
        bfloats.setFloat(0, bfloats.getFloat(1));
        assertThat(String.join(" ", heard)).isEqualTo("r1 w3 r2 r3 w0 w1 r2 r3 w0 w1 r1 w0 r1 w0");

        heard.clear();
        LongArray longs = watched(new LongArray(1), watch);
        assertThatThrownBy(() -> longs.get(7)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(heard).containsExactly("r7");
        ArrayMemory.get().setWatch(longs, null);
        longs.set(0, 1);
        assertThat(heard).containsExactly("r7");
    }

    private static <T extends TornadoNativeArray> T watched(T array, Watch watch) {
        ArrayMemory.get().setWatch(array, watch);
        return array;
    }
}
