package org.hotrow.bench;

/**
 * Share of the lookups that a least recently used region misses, by its rows, when all selected positions are looked up
 * in it: what {@link SelectionStream} gives with {@link MissRates#LOCALITY} at 80K positions, straight lines between
 * logarithms. Published are 30 %, 13.4 % and 6.7 % at one, two and four selections; what lies beyond is the stream's.
 *
 * <p>A region that has fewer rows than a selection is one that is being filled: from all missed to the first entry.
 */
final class MissCurve {
    /** Rows, in selections. */
    static final double[] SELECTIONS = {1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24};

    static final double[] RATES = {
        0.305, 0.236, 0.190, 0.131, 0.0988, 0.0807, 0.0624, 0.0538, 0.0485, 0.0422, 0.0382, 0.0349, 0.0295, 0.0249,
        0.0217
    };

    private MissCurve() {}

    /** The share that misses in a region of so many rows. */
    static double rate(double rows) {
        double selections = rows / H200Node.TOP_K;
        if (selections <= SELECTIONS[0]) {
            return 1 - selections * (1 - RATES[0]);
        }
        int right = 1;
        while (right < SELECTIONS.length - 1 && SELECTIONS[right] < selections) {
            right++;
        }
        double along =
                Math.log(selections / SELECTIONS[right - 1]) / Math.log(SELECTIONS[right] / SELECTIONS[right - 1]);
        return RATES[right - 1] * Math.pow(RATES[right] / RATES[right - 1], along);
    }
}
