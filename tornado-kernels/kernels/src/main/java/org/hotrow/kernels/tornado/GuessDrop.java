package org.hotrow.kernels.tornado;

import java.util.TreeSet;
import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;
import uk.ac.manchester.tornado.api.types.arrays.LongArray;

/**
 * Behind {@link RowResolver}, which says how many tokens of a request are done: counts what a token and the guesses behind
 * it select together, and drops the guesses whose rows had no room in the hot region. A dropped guess is padding for all
 * that comes after.
 *
 * <pre>
 * positions [tokens][k]   selected, ascending, then -1
 * request   [tokens]      seat; the tokens of a request are neighbours; padding, and from now on what is dropped, -1
 * span      {first, end}  the tokens of this call
 * found     [tokens][4]   of a request's first token the tokens done
 * guess     [tokens]      0 = a known token, 1 = a guess, 2 = one that is dropped
 * fresh     [tokens]      scratch
 * unions    [tokens][3]   of the token before guesses: unions, positions in all of them, positions in the largest; summed over
 *                         all calls
 *
 * guess[t] = 1 and t not done     request[t] = -1, guess[t] = 2
 *
 * floor     of requests with guesses 4 k a token read; 12 bytes a token (request, done, guess), 48 a union read and written
 * </pre>
 */
public final class GuessDrop {
    /** A guess that stays. */
    public static final int GUESS = 1;

    /** A guess that is dropped. */
    public static final int DROPPED = 2;

    /** Longs of {@code unions}, for each token. */
    public static final int COUNTERS = 3;

    public static final int UNIONS = 0;
    public static final int POSITIONS = 1;
    public static final int LARGEST = 2;

    private static final int GROUP = 64;
    private static final int LIST_ITEMS = 256;

    private GuessDrop() {}

    /** The definition. */
    public static void reference(
            int first, int end, int k, int[] positions, int[] found, int[] request, int[] guess, long[] unions) {
        int run = first;
        int seat = -1;
        for (int t = first; t < end; t++) {
            if (request[t] != seat) {
                run = t;
                seat = request[t];
                referenceUnion(t, end, k, positions, request, guess, unions);
            }
            if (seat >= 0 && guess[t] == GUESS && t - run >= found[run * HotResolve.FOUND + HotResolve.DONE]) {
                guess[t] = DROPPED;
                request[t] = -1;
            }
        }
    }

    private static void referenceUnion(
            int first, int end, int k, int[] positions, int[] request, int[] guess, long[] unions) {
        int behind = first + 1;
        while (behind < end && request[behind] == request[first]) {
            behind++;
        }
        int from = behind - 1;
        while (from > first && guess[from] == GUESS) {
            from--;
        }
        TreeSet<Integer> union = new TreeSet<>();
        for (int i = from * k; i < behind * k; i++) {
            if (positions[i] >= 0) {
                union.add(positions[i]);
            }
        }
        if (request[first] >= 0 && behind - from > 1) {
            unions[from * COUNTERS + UNIONS]++;
            unions[from * COUNTERS + POSITIONS] += union.size();
            unions[from * COUNTERS + LARGEST] = Math.max(unions[from * COUNTERS + LARGEST], union.size());
        }
    }

    /** A group for each token: what it selects and no token before it, back to the one that the guesses are behind. */
    static void union(
            KernelContext context,
            IntArray positions,
            IntArray request,
            IntArray span,
            IntArray guess,
            IntArray fresh,
            int k,
            int tokens) {
        int[] tree = context.allocateIntLocalArray(LIST_ITEMS);
        int item = context.localIdx;
        int t = context.groupIdx;
        int from = t;
        int end = 0;
        int guessBehind = 0;
        if (t + 1 < span.get(1)) {
            if (guess.get(t + 1) == GUESS && request.get(t + 1) == request.get(t)) {
                guessBehind = 1;
            }
        }
        if (t >= span.get(0) && t < span.get(1) && request.get(t) >= 0) {
            while (from > span.get(0) && guess.get(from) == GUESS && request.get(from - 1) == request.get(t)) {
                from--;
            }
            end = k;
            // A known token without guesses is in no union.
            if (from == t && guessBehind == 0) {
                end = 0;
            }
        }
        int mine = 0;
        for (int i = item; i < end; i += LIST_ITEMS) {
            int position = positions.get(t * k + i);
            int seen = position >= 0 ? 0 : 1;
            for (int row = from; row < t; row++) {
                int low = 0;
                int high = k;
                while (low < high) {
                    int middle = (low + high) / 2;
                    int other = positions.get(row * k + middle);
                    if (other >= 0 && other < position) {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                if (low < k) {
                    if (positions.get(row * k + low) == position) {
                        seen = 1;
                    }
                }
            }
            mine += 1 - seen;
        }
        tree[item] = mine;
        for (int half = LIST_ITEMS / 2; half > 0; half /= 2) {
            context.localBarrier();
            if (item < half) {
                tree[item] += tree[item + half];
            }
        }
        if (item == 0 && t < tokens) {
            fresh.set(t, tree[0]);
        }
    }

    /** One group, a work-item per token: all have read guesses and requests before one is changed. */
    static void drop(
            KernelContext context,
            IntArray request,
            IntArray span,
            IntArray found,
            IntArray guess,
            IntArray fresh,
            LongArray unions,
            int tokens) {
        int item = context.localIdx;
        for (int t = item; t < tokens; t += GROUP) {
            if (t >= span.get(0) && t < span.get(1) && guess.get(t) != GUESS && request.get(t) >= 0) {
                int size = fresh.get(t);
                int rows = 1;
                int ended = 0;
                for (int next = t + 1; next < span.get(1); next++) {
                    if (guess.get(next) != GUESS || request.get(next) != request.get(t)) {
                        ended = 1;
                    }
                    if (ended == 0) {
                        size += fresh.get(next);
                        rows++;
                    }
                }
                if (rows > 1) {
                    int at = t * COUNTERS;
                    unions.set(at + UNIONS, unions.get(at + UNIONS) + 1);
                    unions.set(at + POSITIONS, unions.get(at + POSITIONS) + size);
                    if (unions.get(at + LARGEST) < size) {
                        unions.set(at + LARGEST, size);
                    }
                }
            }
        }
        context.localBarrier();
        for (int t = item; t < tokens; t += GROUP) {
            if (t >= span.get(0) && t < span.get(1) && guess.get(t) == GUESS && request.get(t) >= 0) {
                int run = t;
                while (run > span.get(0) && request.get(run - 1) == request.get(t)) {
                    run--;
                }
                if (t - run >= found.get(run * HotResolve.FOUND + HotResolve.DONE)) {
                    guess.set(t, DROPPED);
                }
            }
        }
        context.localBarrier();
        for (int t = item; t < tokens; t += GROUP) {
            if (guess.get(t) == DROPPED) {
                request.set(t, -1);
            }
        }
    }

    /** Appends the tasks {@code task-union} and {@code task-drop}. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            RowResolver.Shape shape,
            IntArray positions,
            IntArray request,
            IntArray span,
            RowResolver.Loads loads,
            IntArray guess,
            IntArray fresh,
            LongArray unions) {
        Grids.groups(graph, grids, task + "-union", shape.tokens(), 1, LIST_ITEMS);
        Grids.groups(graph, grids, task + "-drop", 1, 1, GROUP);
        KernelContext context = Grids.CONTEXT;
        return graph.task(
                        task + "-union",
                        GuessDrop::union,
                        context,
                        positions,
                        request,
                        span,
                        guess,
                        fresh,
                        shape.k(),
                        shape.tokens())
                .task(
                        task + "-drop",
                        GuessDrop::drop,
                        context,
                        request,
                        span,
                        loads.found(),
                        guess,
                        fresh,
                        unions,
                        shape.tokens());
    }
}
