package org.hotrow.bench;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * The two loops that the ceilings are measured with. Each is a method of its own: the compiler keeps vectors in
 * registers only where it can inline every call on them, which fails in large methods.
 */
final class CeilingLoops {
    /** Alignment of memory to read, in bytes: a cache line. */
    static final long ALIGNMENT = 64;

    private static final VectorSpecies<Long> LONGS = LongVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;
    private static final int READS = 4;
    private static final int CHAINS = 10;

    private CeilingLoops() {}

    /** The sum of the longs in {@code bytes} bytes from {@code from} on, a multiple of {@code 4} vectors. */
    static long read(MemorySegment memory, long from, int bytes) {
        int vector = LONGS.vectorByteSize();
        LongVector a = LongVector.zero(LONGS);
        LongVector b = a;
        LongVector c = a;
        LongVector d = a;
        for (int i = 0; i < bytes; i += READS * vector) {
            a = a.add(load(memory, from + i));
            b = b.add(load(memory, from + i + vector));
            c = c.add(load(memory, from + i + 2L * vector));
            d = d.add(load(memory, from + i + 3L * vector));
        }
        return a.add(b).add(c.add(d)).reduceLanes(VectorOperators.ADD);
    }

    private static LongVector load(MemorySegment memory, long at) {
        return LongVector.fromMemorySegment(LONGS, memory, at, ByteOrder.nativeOrder());
    }

    /** Multiply-adds of {@link #multiplyAdd}. */
    static long multiplyAdds(int rounds) {
        return (long) rounds * CHAINS * FLOATS.length();
    }

    /**
     * Ten chains {@code v = v * x + y}, which tend to 1. Two units with a latency of four or five cycles are busy with
     * ten; sixteen registers hold them.
     */
    static float multiplyAdd(int rounds) {
        FloatVector x = FloatVector.broadcast(FLOATS, 0.75f);
        FloatVector y = FloatVector.broadcast(FLOATS, 0.25f);
        FloatVector a = FloatVector.broadcast(FLOATS, 1);
        FloatVector b = FloatVector.broadcast(FLOATS, 2);
        FloatVector c = FloatVector.broadcast(FLOATS, 3);
        FloatVector d = FloatVector.broadcast(FLOATS, 4);
        FloatVector e = FloatVector.broadcast(FLOATS, 5);
        FloatVector f = FloatVector.broadcast(FLOATS, 6);
        FloatVector g = FloatVector.broadcast(FLOATS, 7);
        FloatVector h = FloatVector.broadcast(FLOATS, 8);
        FloatVector i = FloatVector.broadcast(FLOATS, 9);
        FloatVector j = FloatVector.broadcast(FLOATS, 10);
        for (int round = 0; round < rounds; round++) {
            a = a.fma(x, y);
            b = b.fma(x, y);
            c = c.fma(x, y);
            d = d.fma(x, y);
            e = e.fma(x, y);
            f = f.fma(x, y);
            g = g.fma(x, y);
            h = h.fma(x, y);
            i = i.fma(x, y);
            j = j.fma(x, y);
        }
        FloatVector sum = a.add(b).add(c.add(d)).add(e.add(f)).add(g.add(h)).add(i.add(j));
        return sum.reduceLanes(VectorOperators.ADD);
    }
}
