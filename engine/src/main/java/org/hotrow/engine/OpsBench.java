package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.tornado.Variant;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/**
 * Single operations on a device, for tests and measurements: over a step of consecutive tokens of one request, all of which
 * want logits. Index blocks come first, then the pages, then a hot region.
 */
abstract class OpsBench implements AutoCloseable {
    final Model model;
    final CacheFormat format;
    final CacheConfig config;
    final StepArrays step;

    /**
     * A step.
     *
     * @param rows of the step
     * @param first position of the first of them
     * @param pages of the request
     * @param host whether each page has a host page as well
     * @param lost pages among them that are on the host alone, from the first one on; the hot region begins empty
     */
    record Place(int rows, int first, int pages, boolean host, int lost) {
        /** The first tokens of a request of one page. */
        static Place first(int rows) {
            return new Place(rows, 0, 1, false, 0);
        }
    }

    private OpsBench(Model model, CacheFormat format, Place place) {
        this.model = model;
        this.format = format;
        int pages = place.pages();
        int tokens = pages * Block.TOKENS;
        CacheConfig resident = CacheConfig.resident(model.config(), format, tokens);
        int hot = Block.pages(resident.hotRows());
        int rows = place.rows();
        config = new CacheConfig(
                place.host() ? KvPolicy.HYBRID : KvPolicy.RESIDENT,
                resident.blocks() + hot,
                resident.hotRows(),
                place.host() ? pages : 0,
                tokens,
                1,
                CacheConfig.NONE);
        int indexBlocks = config.geometry(model.config(), format).indexBlocks(tokens);
        step = new StepArrays(rows, rows, 1, pages, indexBlocks, hot);
        int block = 1;
        for (int i = 0; i < indexBlocks; i++) {
            step.indexTable[i] = block++;
        }
        for (int page = 0; page < pages; page++) {
            step.blockTable[page] = page < place.lost() ? 0 : block;
            step.hostTable[page] = place.host() ? page + 1 : 0;
            block++;
        }
        if (place.lost() > 0) {
            for (int i = 0; i < hot; i++) {
                step.hotTable[i] = block++;
            }
            step.resetSeat[0] = 0;
            step.counts[StepArrays.RESET_SEATS] = 1;
        }
        for (int t = 0; t < rows; t++) {
            step.addRow(0, 7 * t + 1, place.first() + t, true);
            step.sourceRow[t] = rows - 1 - t;
            step.selectionRow[t] = rows - 1 - t;
        }
    }

    /** Runs an operation over inputs of these widths; the result is what it leaves in the activation that it returns. */
    float[] run(BiFunction<Ops, List<Activation>, Activation> operation, List<Integer> widths, List<float[]> inputs) {
        List<Activation> in = new ArrayList<>();
        for (int i = 0; i < widths.size(); i++) {
            Activation activation = ops().activation(widths.get(i));
            write(activation, inputs.get(i));
            in.add(activation);
        }
        Activation out = operation.apply(ops(), in);
        execute();
        float[] left = new float[step.rows() * out.width()];
        read(out, left);
        return left;
    }

    abstract Ops ops();

    abstract KvCache cache();

    abstract void write(Activation to, float[] values);

    abstract void write(IntRows to, int[] values);

    /** Empties the hot region: an operation like those of {@link Ops}. */
    abstract void resetHot();

    /** Runs what was recorded, again if it ran before; on the CPU operations run when they are called. */
    abstract void execute();

    abstract void read(Activation from, float[] values);

    static OpsBench cpu(Model model, CacheFormat format, Place place, Lanes lanes, int threads) {
        return new OpsBench(model, format, place) {
            private final Workers workers = new Workers(threads);
            private final CpuWeights weights = CpuWeights.load(model.config(), model.weights(), LoadProgress.NONE);
            private final KvCache cache = new KvCache(model.config(), format, config, 0, KvCache.Memory.here());
            private final Ops ops = new CpuOps(
                    model.config(),
                    weights,
                    format,
                    step,
                    KvSlabs.of(cache.tensor()),
                    new CpuHotRows(step, cache, model.config().indexer().anchors(), workers),
                    workers,
                    lanes);

            @Override
            Ops ops() {
                return ops;
            }

            @Override
            KvCache cache() {
                return cache;
            }

            @Override
            void write(Activation to, float[] values) {
                System.arraycopy(values, 0, CpuActivation.of(to).data(), 0, values.length);
            }

            @Override
            void write(IntRows to, int[] values) {
                System.arraycopy(values, 0, CpuInts.of(to).data(), 0, values.length);
            }

            @Override
            void resetHot() {
                cache.hot().reset(0);
            }

            @Override
            void execute() {}

            @Override
            void read(Activation from, float[] values) {
                System.arraycopy(CpuActivation.of(from).data(), 0, values, 0, values.length);
            }

            @Override
            public void close() {
                cache.close();
                weights.close();
                workers.close();
            }
        };
    }

    /** On a device of task graphs. */
    static OpsBench graphs(DeviceArrays arrays, Variant variant, Model model, CacheFormat format, Place place) {
        return new OpsBench(model, format, place) {
            private final KvCache cache = new KvCache(model.config(), format, config, 0, KvCache.Memory.of(arrays));
            private final Uploads uploads = new Uploads(arrays);
            private final GraphTables tables = new GraphTables(step, arrays, uploads);
            private final GraphStep part = new GraphStep(
                    step,
                    arrays,
                    uploads,
                    RopeTables.of(model.config()),
                    place.rows(),
                    model.config().attention().ropeDim(),
                    GraphDrafts.Kept.of(arrays, model.config(), place.rows()));
            private final GraphRecorder recorder = new GraphRecorder(arrays, place.rows());
            private final GraphSlabs slabs = new GraphSlabs(arrays, GraphKvTensor.of(cache.tensor()), cache.host());
            private final GraphHotRows hotRows = new GraphHotRows(
                    step,
                    tables,
                    slabs,
                    arrays,
                    model.config().indexer().anchors(),
                    model.config().indexer().topK(),
                    config.replacement(),
                    1);
            private final Ops ops = new GraphOps(
                    model.config(),
                    format,
                    new GraphWeights(arrays, 0, LoadProgress.NONE),
                    step,
                    part,
                    tables,
                    slabs,
                    hotRows,
                    arrays,
                    recorder,
                    variant);
            private @Nullable TornadoExecutionPlan plan;

            @Override
            Ops ops() {
                return ops;
            }

            @Override
            KvCache cache() {
                return cache;
            }

            @Override
            void write(Activation to, float[] values) {
                uploads.floats(values, values.length, GraphActivation.of(to).data());
            }

            @Override
            void write(IntRows to, int[] values) {
                uploads.ints(values, GraphInts.of(to).data());
            }

            @Override
            void resetHot() {
                hotRows.recordReset(recorder);
            }

            @Override
            void execute() {
                TornadoExecutionPlan ready = plan;
                if (ready == null) {
                    tables.upload();
                    part.upload(0, step.rows(), 0);
                    ready = recorder.plan();
                    plan = ready;
                }
                arrays.send();
                ready.execute();
            }

            @Override
            void read(Activation from, float[] values) {
                FloatArray data = GraphActivation.of(from).data();
                MemorySegment all = MemorySegment.ofArray(values);
                arrays.download(data, all);
            }

            @Override
            public void close() {
                uploads.close();
                cache.close();
            }
        };
    }

    @Override
    public abstract void close();
}
