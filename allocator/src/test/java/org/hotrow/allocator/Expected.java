package org.hotrow.allocator;

import java.util.Map;
import java.util.WeakHashMap;
import org.eclipse.collections.impl.list.mutable.primitive.LongArrayList;

/** The reference: what is in a request's rows and keys is a function of its tokens up to there, of layer and position. */
final class Expected {
    private final Map<KvRequest, LongArrayList> prefixes = new WeakHashMap<>();

    long row(KvRequest request, int layer, int position) {
        return mix(prefix(request, position) + 31L * layer + 1);
    }

    long key(KvRequest request, int position) {
        return mix(prefix(request, position) + 1_000_003);
    }

    private long prefix(KvRequest request, int position) {
        LongArrayList known = prefixes.computeIfAbsent(request, r -> new LongArrayList());
        while (known.size() <= position) {
            long before = known.isEmpty() ? 0 : known.getLast();
            known.add(mix(before + request.tokens.get(known.size())) + position(known.size()));
        }
        return known.get(position);
    }

    private static long position(int position) {
        return (long) position << 40;
    }

    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
