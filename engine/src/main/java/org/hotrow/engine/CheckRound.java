package org.hotrow.engine;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * One run of a {@link KernelCheck}: its numbers, which are others in every round, and what must come of them. What a
 * kernel shall not touch holds poison, and must keep it.
 */
final class CheckRound {
    /** As a float it is NaN. */
    static final int POISON = 0x7FC7C7C7;

    private static final float POISON_FLOAT = Float.intBitsToFloat(POISON);
    private static final int MAGNITUDES = 5;
    /** Rounding errors that a sum may have, each of half a unit in the last place of all its terms together. */
    private static final double ERRORS = 8 * 0x1p-24;

    /**
     * What an array must hold.
     *
     * @param mismatch compares what the device has
     */
    private record Expectation(
            TornadoNativeArray array, long bytes, Function<MemorySegment, Optional<String>> mismatch) {}

    private final int number;
    private final DeviceArrays arrays;
    private final Uploads uploads;
    private final Random random;
    private final List<Expectation> expected = new ArrayList<>();

    /** @param number counts from 0 */
    CheckRound(int number, DeviceArrays arrays, Uploads uploads) {
        this.number = number;
        this.arrays = arrays;
        this.uploads = uploads;
        random = new Random(number);
    }

    int number() {
        return number;
    }

    Random random() {
        return random;
    }

    /** Rows that are no padding: all in every second round, else all but one. */
    int rows(int maxRows) {
        return maxRows == 1 ? 1 : maxRows - 1 + number % 2;
    }

    /** Sends the counts of a step of {@link #rows} rows, all with logits, and returns their number. */
    int counts(IntArray counts, int maxRows) {
        int rows = rows(maxRows);
        int[] all = new int[counts.getSize()];
        all[StepArrays.ROWS] = rows;
        all[StepArrays.LOGIT_ROWS] = rows;
        send(counts, all);
        return rows;
    }

    void send(IntArray to, int... values) {
        uploads.ints(values, to);
    }

    /** Sends numbers between -1 and 1, then poison where the rows end. */
    float[] values(FloatArray to, int count) {
        return values(to, count, Math.max(1, count));
    }

    /** Sends numbers of which each run of so many has another magnitude, up to 16, then poison where the rows end. */
    float[] values(FloatArray to, int count, int run) {
        float[] values = new float[to.getSize()];
        Arrays.fill(values, POISON_FLOAT);
        for (int i = 0; i < count; i++) {
            values[i] = (2 * random.nextFloat() - 1) * (1 << i / run % MAGNITUDES);
        }
        uploads.floats(values, values.length, to);
        return values;
    }

    /** Sends poison, and returns it for the reference to write over. */
    float[] poison(FloatArray to) {
        return values(to, 0);
    }

    /** Sends poison, and returns it for the reference to write over. */
    int[] poison(IntArray to) {
        int[] values = new int[to.getSize()];
        Arrays.fill(values, POISON);
        send(to, values);
        return values;
    }

    /**
     * Sums.
     *
     * @param magnitudes sums of the magnitudes of their terms
     */
    void expect(FloatArray array, float[] sums, float[] magnitudes) {
        expectFloats(array, sums, magnitudes);
    }

    /** Values whose terms are together no larger than {@code magnitude}. */
    void expect(FloatArray array, float[] values, float magnitude) {
        expectFloats(array, values, all(values.length, magnitude));
    }

    /** The same, whose bits an array of ints has. */
    void expectBits(IntArray array, float[] values, float magnitude) {
        expectFloats(array, values, all(values.length, magnitude));
    }

    void expect(IntArray array, int... values) {
        expect(array, (long) values.length * Integer.BYTES, memory -> {
            int[] found = memory.toArray(ValueLayout.JAVA_INT);
            int at = Arrays.mismatch(found, values);
            return at < 0 ? Optional.empty() : told(at, Integer.toString(values[at]), Integer.toString(found[at]));
        });
    }

    /** Bytes, compared a long at a time. */
    void expect(TornadoNativeArray array, MemorySegment bytes) {
        long[] longs = bytes.toArray(ValueLayout.JAVA_LONG);
        expect(array, bytes.byteSize(), memory -> {
            long[] found = memory.toArray(ValueLayout.JAVA_LONG);
            int at = Arrays.mismatch(found, longs);
            return at < 0 ? Optional.empty() : told(at, hex(longs[at]), hex(found[at]));
        });
    }

    private void expectFloats(TornadoNativeArray array, float[] values, float[] magnitudes) {
        expect(
                array,
                (long) values.length * Float.BYTES,
                memory -> compare(memory.toArray(ValueLayout.JAVA_FLOAT), values, magnitudes));
    }

    private void expect(TornadoNativeArray array, long bytes, Function<MemorySegment, Optional<String>> mismatch) {
        expected.add(new Expectation(array, bytes, mismatch));
    }

    private static float[] all(int count, float magnitude) {
        float[] magnitudes = new float[count];
        Arrays.fill(magnitudes, magnitude);
        return magnitudes;
    }

    private static Optional<String> compare(float[] found, float[] expected, float[] magnitudes) {
        for (int i = 0; i < expected.length; i++) {
            boolean equal = Float.isNaN(expected[i])
                    ? Float.isNaN(found[i])
                    : Math.abs((double) found[i] - expected[i]) <= ERRORS * magnitudes[i];
            if (!equal) {
                return told(i, Float.toString(expected[i]), Float.toString(found[i]));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> told(int at, String expected, String found) {
        return Optional.of("value " + at + " is " + found + ", expected " + expected);
    }

    private static String hex(long word) {
        return "0x" + Long.toHexString(word);
    }

    /** The arrays of which something is expected. */
    List<TornadoNativeArray> outputs() {
        return expected.stream().map(Expectation::array).toList();
    }

    /** The first value that is not as expected. */
    Optional<String> mismatch() {
        try (Arena arena = Arena.ofConfined()) {
            for (Expectation expectation : expected) {
                MemorySegment memory = arena.allocate(expectation.bytes, Long.BYTES);
                arrays.readBack(expectation.array, memory);
                Optional<String> mismatch = expectation.mismatch.apply(memory);
                if (mismatch.isPresent()) {
                    return mismatch;
                }
            }
        }
        return Optional.empty();
    }
}
