package org.hotrow.kernels.inspect;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * An operation that is timed, its inputs filled with random numbers.
 *
 * @param at at which sizes
 * @param linkBytes of its floor, those that cross the link to the host
 * @param anew what it changes and needs as it was
 * @param written what it has to overwrite
 * @param sampled values that are compared with the reference
 */
record Timed(
        String at,
        Launch launch,
        long linkBytes,
        List<TornadoNativeArray> anew,
        List<Written> written,
        int sampled,
        Check check) {
    /** A NaN that no kernel computes, and no index. */
    static final int POISON = 0x7FA5_A5A5;

    /** Compares what came back with the reference: what is wrong, or nothing. */
    @FunctionalInterface
    interface Check {
        String problem();
    }

    /** The first {@code words} 32-bit words of an output. */
    record Written(TornadoNativeArray array, long words) {
        static Written all(TornadoNativeArray array) {
            return new Written(array, array.getSegment().byteSize() / Integer.BYTES);
        }

        void poison() {
            MemorySegment segment = array.getSegment();
            for (long at = 0; at < segment.byteSize(); at += Integer.BYTES) {
                segment.set(ValueLayout.JAVA_INT_UNALIGNED, at, POISON);
            }
        }

        /** Words that still are as {@link #poison} left them, of those that have to be overwritten. */
        long left() {
            return Math.max(0, poisoned() - (array.getSegment().byteSize() / Integer.BYTES - words));
        }

        /** Words that aren't poison any more though nothing had to be written there. */
        long beyond() {
            long spare = array.getSegment().byteSize() / Integer.BYTES - words;
            return Math.max(0, spare - poisoned());
        }

        private long poisoned() {
            MemorySegment segment = array.getSegment();
            long count = 0;
            for (long at = 0; at < segment.byteSize(); at += Integer.BYTES) {
                if (segment.get(ValueLayout.JAVA_INT_UNALIGNED, at) == POISON) {
                    count++;
                }
            }
            return count;
        }
    }

    void poison() {
        written.forEach(Written::poison);
    }

    /** Words that had to be overwritten and weren't, or the other way round. */
    long unwritten() {
        return written.stream().mapToLong(w -> w.left() + w.beyond()).sum();
    }

    /** Outputs, as arrays. */
    List<TornadoNativeArray> outputs() {
        return written.stream().<TornadoNativeArray>map(Written::array).toList();
    }
}
