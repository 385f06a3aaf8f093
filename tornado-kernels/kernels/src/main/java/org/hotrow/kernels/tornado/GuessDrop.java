package org.hotrow.kernels.tornado;

import uk.ac.manchester.tornado.api.GridScheduler;
import uk.ac.manchester.tornado.api.KernelContext;
import uk.ac.manchester.tornado.api.TaskGraph;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * Drops guesses whose rows had no room in the hot region: behind {@link RowResolver}, which says how many tokens of a
 * request are done. A dropped guess is padding for all that comes after.
 *
 * <pre>
 * request   [tokens]      seat; the tokens of a request are neighbours; padding, and from now on what is dropped, -1
 * span      {first, end}  the tokens of this call
 * found     [tokens][4]   of a request's first token the tokens done
 * guess     [tokens]      0 = a known token, 1 = a guess, 2 = one that is dropped
 *
 * guess[t] = 1 and t not done     request[t] = -1, guess[t] = 2
 *
 * floor     12 bytes a token read (request, done, guess), 8 a dropped one written
 * </pre>
 */
public final class GuessDrop {
    /** A guess that stays. */
    public static final int GUESS = 1;

    /** A guess that is dropped. */
    public static final int DROPPED = 2;

    private static final int GROUP = 64;

    private GuessDrop() {}

    /** The definition. */
    public static void reference(int first, int end, int[] found, int[] request, int[] guess) {
        int run = first;
        int seat = -1;
        for (int t = first; t < end; t++) {
            if (request[t] != seat) {
                run = t;
                seat = request[t];
            }
            if (seat >= 0 && guess[t] == GUESS && t - run >= found[run * HotResolve.FOUND + HotResolve.DONE]) {
                guess[t] = DROPPED;
                request[t] = -1;
            }
        }
    }

    /** One group, a work-item per token: all read requests before one is changed. */
    static void drop(
            KernelContext context, IntArray request, IntArray span, IntArray found, IntArray guess, int tokens) {
        int item = context.localIdx;
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

    /** Appends the task. */
    public static TaskGraph append(
            TaskGraph graph,
            GridScheduler grids,
            String task,
            RowResolver.Shape shape,
            IntArray request,
            IntArray span,
            RowResolver.Loads loads,
            IntArray guess) {
        Grids.groups(graph, grids, task, 1, 1, GROUP);
        return graph.task(task, GuessDrop::drop, Grids.CONTEXT, request, span, loads.found(), guess, shape.tokens());
    }
}
