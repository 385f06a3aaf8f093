package org.hotrow.bench;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.ExactLru;
import org.hotrow.allocator.HotMap;

/**
 * What a hot region does for one request whose guesses are verified, on selections of consecutive tokens; the least
 * recently used rows make room.
 *
 * <pre>
 * round    rows t .. t + drafts, resolved together: as many as their union fits, the others are dropped
 * accepted each guess with the same probability if all before it are, and its row wasn't dropped
 * next     t + 1 + accepted
 * </pre>
 *
 * A guess that is wrong selects here what the right one would. Every selected position is looked up, as if none were
 * resident.
 *
 * @param tokens of a round
 * @param union positions that all rows of a round select, dropped ones too
 * @param largestUnion of any round
 * @param misses of a round
 * @param dropped rows of a round
 */
record DraftedRegion(double tokens, double union, int largestUnion, double misses, double dropped) {
    /** How many guesses a round has, and how many tokens it gives if no row is dropped. */
    record Drafts(int most, double tokens) {
        /** No guesses. */
        static final Drafts NONE = new Drafts(0, 1);

        /** The probability p with 1 + p + p^2 + ... + p^most = tokens. */
        double acceptance() {
            double low = 0;
            double high = 1;
            for (int i = 0; i < 50; i++) {
                double p = (low + high) / 2;
                double sum = 1;
                for (int place = 1; place <= most; place++) {
                    sum += Math.pow(p, place);
                }
                if (sum < tokens) {
                    low = p;
                } else {
                    high = p;
                }
            }
            return low;
        }
    }

    /**
     * A region over selections of tokens in a row.
     *
     * @param warmUp rounds from before this token aren't counted
     */
    static DraftedRegion of(List<int[]> selections, int warmUp, Drafts drafts, int hotRows, long seed) {
        Rounds rounds = new Rounds(selections, drafts, hotRows, seed);
        while (rounds.at < warmUp && rounds.more()) {
            rounds.run();
        }
        return rounds.count();
    }

    /** Rows of a region, in whole blocks, that holds any union of the rounds that begin before a token. */
    static int fitting(List<int[]> selections, int before, Drafts drafts) {
        int largest = 0;
        for (int at = 0; at + drafts.most < Math.min(before, selections.size()); at++) {
            BitSet union = new BitSet();
            for (int[] row : selections.subList(at, at + drafts.most + 1)) {
                Arrays.stream(row).filter(position -> position >= 0).forEach(union::set);
            }
            largest = Math.max(largest, union.cardinality());
        }
        return Block.pages(largest) * Block.TOKENS;
    }

    /** Round after round. */
    private static final class Rounds {
        private final List<int[]> selections;
        private final int most;
        private final double acceptance;
        private final int hotRows;
        private final HotMap map;
        private final SplittableRandom random;
        private int at;
        private int union;
        private int dropped;
        private int tokens;

        Rounds(List<int[]> selections, Drafts drafts, int hotRows, long seed) {
            this.selections = selections;
            this.most = drafts.most;
            acceptance = drafts.acceptance();
            this.hotRows = hotRows;
            map = new HotMap(hotRows, new ExactLru(hotRows));
            random = new SplittableRandom(seed);
        }

        boolean more() {
            return at + most < selections.size();
        }

        void run() {
            BitSet seen = new BitSet();
            int[] positions = new int[(1 + most) * selections.getFirst().length];
            int distinct = 0;
            int fitting = 0;
            int resolved = 0;
            for (int row = 0; row <= most; row++) {
                for (int position : selections.get(at + row)) {
                    if (position >= 0 && !seen.get(position)) {
                        seen.set(position);
                        positions[distinct++] = position;
                    }
                }
                if (distinct <= hotRows) {
                    fitting = row + 1;
                    resolved = distinct;
                }
            }
            map.resolve(positions, resolved, new int[resolved]);
            union = distinct;
            dropped = 1 + most - fitting;
            tokens = 1;
            while (tokens < fitting && random.nextDouble() < acceptance) {
                tokens++;
            }
            at += tokens;
        }

        /** All that are left. */
        DraftedRegion count() {
            int rounds = 0;
            int largest = 0;
            double[] sums = new double[4];
            while (more()) {
                run();
                rounds++;
                largest = Math.max(largest, union);
                sums[0] += tokens;
                sums[1] += union;
                sums[2] += map.misses();
                sums[3] += dropped;
            }
            return new DraftedRegion(sums[0] / rounds, sums[1] / rounds, largest, sums[2] / rounds, sums[3] / rounds);
        }
    }
}
