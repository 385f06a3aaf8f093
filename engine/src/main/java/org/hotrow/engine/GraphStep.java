package org.hotrow.engine;

import java.util.Arrays;
import org.hotrow.kernels.RopeTable;
import org.hotrow.kernels.tornado.GuessDrop;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;
import uk.ac.manchester.tornado.api.types.arrays.IntArray;

/**
 * A part of the rows of {@link StepArrays} on a device, and the rotary angles of their positions.
 *
 * <pre>
 * counts      rows and logit rows are those of the part, whose first row is said too
 * span        {0, rows}
 * cos, sin    [maxRows][ropeDim / 2]
 * </pre>
 *
 * With the {@link GraphTables}, and what {@link GraphDrafts} has if there are drafts, this is all that goes up for a step.
 */
final class GraphStep {
    final IntArray counts;
    final IntArray span;
    final IntArray token;
    final IntArray position;
    final IntArray request;
    final IntArray writeRow;
    final IntArray logitRow;
    final FloatArray cos;
    final FloatArray sin;
    final int maxRows;
    final int maxLogitRows;
    final @Nullable GraphDrafts drafts;

    private final StepArrays step;
    private final Uploads uploads;
    private final RopeTable ropeTable;
    private final int[] ints;
    private final float[] rowCos;
    private final float[] rowSin;
    private final float[] allCos;
    private final float[] allSin;

    /**
     * @param maxRows rows of the largest part
     * @param ropeDim dimensions that turn
     * @param kept of the whole step, if there are drafts
     */
    GraphStep(
            StepArrays step,
            DeviceArrays arrays,
            Uploads uploads,
            RopeTable ropeTable,
            int maxRows,
            int ropeDim,
            GraphDrafts.@Nullable Kept kept) {
        this.step = step;
        this.uploads = uploads;
        this.ropeTable = ropeTable;
        this.maxRows = maxRows;
        maxLogitRows = Math.min(maxRows, step.maxLogitRows);
        counts = arrays.stepInts(step.counts.length);
        span = arrays.stepInts(2);
        token = arrays.stepInts(maxRows);
        position = arrays.stepInts(maxRows);
        request = arrays.stepInts(maxRows);
        writeRow = arrays.stepInts(maxRows);
        logitRow = arrays.stepInts(maxRows);
        cos = arrays.stepFloats(maxRows * ropeDim / 2);
        sin = arrays.stepFloats(maxRows * ropeDim / 2);
        drafts = kept == null ? null : GraphDrafts.of(arrays, maxRows, kept);
        ints = new int[maxRows];
        rowCos = new float[ropeDim / 2];
        rowSin = new float[ropeDim / 2];
        allCos = new float[maxRows * ropeDim / 2];
        allSin = new float[maxRows * ropeDim / 2];
    }

    /**
     * Sends rows {@code from} to before {@code to} of the step.
     *
     * @param firstLogit the first entry of the step's logit rows that is not before {@code from}
     * @return how many of these rows have their logits wanted
     */
    int upload(int from, int to, int firstLogit) {
        Arrays.fill(ints, -1);
        int logits = 0;
        while (firstLogit + logits < step.logitRows() && step.logitRow[firstLogit + logits] < to) {
            ints[logits] = step.logitRow[firstLogit + logits] - from;
            logits++;
        }
        uploads.ints(ints, logitRow);
        int[] some = step.counts.clone();
        some[StepArrays.ROWS] = to - from;
        some[StepArrays.LOGIT_ROWS] = logits;
        some[StepArrays.FIRST_ROW] = from;
        uploads.ints(some, counts);
        uploads.ints(new int[] {0, to - from}, span);
        upload(step.token, from, to, 0, token);
        upload(step.position, from, to, 0, position);
        upload(step.request, from, to, -1, request);
        upload(step.writeRow, from, to, -1, writeRow);
        if (drafts != null) {
            upload(step.sourceRow, from, to, 0, drafts.sourceRow());
            upload(step.selectionRow, from, to, 0, drafts.selectionRow());
            uploadGuesses(from, to, drafts.guess());
        }
        uploadAngles(from, to);
        return logits;
    }

    private void uploadGuesses(int from, int to, IntArray guess) {
        Arrays.fill(ints, 0);
        for (int t = from; t < to; t++) {
            ints[t - from] = step.guessed[t] ? GuessDrop.GUESS : 0;
        }
        uploads.ints(ints, guess);
    }

    /** Notes which guesses from row {@code from} on the device has dropped. */
    void downloadDropped(int from, int to) {
        if (drafts == null || !step.anyGuessed(from, to)) {
            return;
        }
        uploads.download(drafts.guess(), ints);
        for (int t = from; t < to; t++) {
            step.dropped[t] = ints[t - from] == GuessDrop.DROPPED;
        }
    }

    private void upload(int[] values, int from, int to, int padding, IntArray array) {
        Arrays.fill(ints, padding);
        System.arraycopy(values, from, ints, 0, to - from);
        uploads.ints(ints, array);
    }

    private void uploadAngles(int from, int to) {
        int pairs = rowCos.length;
        for (int t = from; t < to; t++) {
            ropeTable.at(step.position[t], rowCos, rowSin);
            System.arraycopy(rowCos, 0, allCos, (t - from) * pairs, pairs);
            System.arraycopy(rowSin, 0, allSin, (t - from) * pairs, pairs);
        }
        uploads.floats(allCos, (to - from) * pairs, cos);
        uploads.floats(allSin, (to - from) * pairs, sin);
    }
}
