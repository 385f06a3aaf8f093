package org.hotrow.engine;

import java.util.Arrays;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.engine.lanes.PackedMatrix;

/**
 * Matrix products {@code out[t] = W . x[t]}: one, or several at once that don't depend on each other.
 *
 * <pre>
 * add    copies the rows of x, times W's input factor for so many, behind those of the products before
 * run    the panels of every product in equal parts; a worker takes the same parts of all
 *        panel:  for each segment of columns: decode once, then multiply with all rows
 * </pre>
 *
 * Which worker does a panel changes nothing in it, and rows don't meet.
 */
final class CpuLinear {
    /** Parts of a run: enough for any team. */
    private static final int PARTS = 1024;

    /** Ints of {@code places} per product: its first input, its rows, its first row and column in the output. */
    private static final int PLACES = 4;

    private final Workers workers;
    private final Lanes lanes;
    private final Workers.Run parts = this::parts;
    private final float[][] blocks;
    private final float[][] partials;
    private final float[][] sums;

    private int products;
    private PackedMatrix[] matrices = new PackedMatrix[4];
    private CpuActivation[] outs = new CpuActivation[4];
    private int[] places = new int[4 * PLACES];
    private float[] inputs = {};
    private int inputsUsed;
    private int mostRows;
    private long cost;
    private int[] ascending = {};

    CpuLinear(Workers workers, Lanes lanes) {
        this.workers = workers;
        this.lanes = lanes;
        blocks = new float[workers.count()][PackedMatrix.SEGMENT * Lanes.TILE];
        partials = new float[workers.count()][0];
        sums = new float[workers.count()][0];
    }

    /** {@code out[t] = W . x[t]} for t below {@code rows}, now. */
    void multiply(PackedMatrix w, CpuActivation x, CpuActivation out, int rows) {
        add(w, x, 0, ascending(rows), 0, rows, out, 0, 0);
        run();
    }

    /** 0, 1, 2, ... up to {@code count} or further, as a list for {@link #add}. */
    int[] ascending(int count) {
        if (ascending.length < count) {
            ascending = new int[count];
            Arrays.setAll(ascending, i -> i);
        }
        return ascending;
    }

    /**
     * Adds a product to the next run: row {@code outRow + i} of {@code out}, from {@code outColumn} on, becomes W times
     * row {@code list[from + i]} of x, from {@code column} on, for i below {@code rows}.
     */
    void add(
            PackedMatrix w,
            CpuActivation x,
            int column,
            int[] list,
            int from,
            int rows,
            CpuActivation out,
            int outRow,
            int outColumn) {
        reserve(rows * w.cols());
        matrices[products] = w;
        outs[products] = out;
        int place = products * PLACES;
        places[place] = inputsUsed;
        places[place + 1] = rows;
        places[place + 2] = outRow;
        places[place + 3] = outColumn;
        for (int i = 0; i < rows; i++) {
            lanes.scale(x.data(), x.at(list[from + i]) + column, w.inputFactor(rows), inputs, inputsUsed, w.cols());
            inputsUsed += w.cols();
        }
        mostRows = Math.max(mostRows, rows);
        cost += (long) w.rows() * w.cols() * rows;
        products++;
    }

    private void reserve(int values) {
        if (products == matrices.length) {
            matrices = Arrays.copyOf(matrices, 2 * products);
            outs = Arrays.copyOf(outs, 2 * products);
            places = Arrays.copyOf(places, 2 * products * PLACES);
        }
        if (inputs.length - inputsUsed < values) {
            inputs = Arrays.copyOf(inputs, Math.max(Math.addExact(inputsUsed, values), 2 * inputsUsed));
        }
    }

    /** Does what was added. */
    void run() {
        for (int w = 0; w < sums.length; w++) {
            if (sums[w].length < mostRows * Lanes.TILE) {
                sums[w] = new float[mostRows * Lanes.TILE];
                partials[w] = new float[mostRows * Lanes.TILE];
            }
        }
        workers.run(PARTS, cost / PARTS, parts);
        products = 0;
        inputsUsed = 0;
        mostRows = 0;
        cost = 0;
    }

    private void parts(int worker, int from, int to) {
        for (int p = 0; p < products; p++) {
            int panels = matrices[p].panels();
            int last = (int) ((long) panels * to / PARTS);
            for (int panel = (int) ((long) panels * from / PARTS); panel < last; panel++) {
                panel(p, panel, worker);
            }
        }
    }

    private void panel(int product, int panel, int worker) {
        PackedMatrix w = matrices[product];
        int input = places[product * PLACES];
        int rows = places[product * PLACES + 1];
        float[] sum = sums[worker];
        Arrays.fill(sum, 0, rows * Lanes.TILE, 0f);
        for (int s = 0; s < w.segments(); s++) {
            int x = input + w.column(s);
            if (rows <= Lanes.FEW_ROWS) {
                lanes.decodeTile(w, panel, s, inputs, x, w.cols(), rows, sum, 0);
            } else {
                float[] block = blocks[worker];
                float[] partial = partials[worker];
                int n = w.column(s + 1) - w.column(s);
                lanes.decode(w, panel, s, block);
                lanes.tile(block, 0, Lanes.TILE, n, inputs, x, w.cols(), rows, partial, 0, Lanes.TILE);
                lanes.addTiles(partial, rows, w.scales(), w.scaleAt(panel, s), sum);
            }
        }
        CpuActivation out = outs[product];
        int outRow = places[product * PLACES + 2];
        int column = places[product * PLACES + 3] + panel * Lanes.TILE;
        int width = Math.min(Lanes.TILE, w.rows() - panel * Lanes.TILE);
        for (int t = 0; t < rows; t++) {
            System.arraycopy(sum, t * Lanes.TILE, out.data(), out.at(outRow + t) + column, width);
        }
    }
}
