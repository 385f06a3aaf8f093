package org.hotrow.engine;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.hotrow.allocator.HostMemory;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.tornado.Variant;
import uk.ac.manchester.tornado.api.types.arrays.FloatArray;

/** Single operations on a device, over a step of the first tokens of one request, all of which want logits. */
abstract class OpsBench implements AutoCloseable {
    private static final int BLOCK = 2;
    private static final int INDEX_BLOCK = 1;

    final Model model;
    final CacheFormat format;
    final CacheConfig config;
    final StepArrays step;

    private OpsBench(Model model, CacheFormat format, int rows) {
        this.model = model;
        this.format = format;
        config = CacheConfig.resident(model.config(), format, 64);
        step = new StepArrays(rows, rows, 1, 1, 1, 1);
        step.blockTable[0] = BLOCK;
        step.indexTable[0] = INDEX_BLOCK;
        for (int t = 0; t < rows; t++) {
            step.addRow(0, 7 * t + 1, t, true);
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

    abstract void write(Activation to, float[] values);

    abstract void execute();

    abstract void read(Activation from, float[] values);

    static OpsBench cpu(Model model, CacheFormat format, int rows) {
        return new OpsBench(model, format, rows) {
            private final Workers workers = new Workers(1);
            private final CpuWeights weights = CpuWeights.load(model.config(), model.weights(), LoadProgress.NONE);
            private final KvCache cache = new KvCache(model.config(), format, config, 0, new KvCache.Memory() {
                @Override
                public KvTensor tensor(KvGeometry geometry) {
                    return new KvSlabs(geometry);
                }

                @Override
                public HostMemory host() {
                    return HostMemory.plain();
                }
            });
            private final Ops ops = new CpuOps(
                    model.config(),
                    weights,
                    format,
                    step,
                    KvSlabs.of(cache.tensor()),
                    new CpuHotRows(step, cache, model.config().indexer().anchors(), workers),
                    workers,
                    Lanes.vector());

            @Override
            Ops ops() {
                return ops;
            }

            @Override
            void write(Activation to, float[] values) {
                System.arraycopy(values, 0, CpuActivation.of(to).data(), 0, values.length);
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

    static OpsBench graphs(TestDevice device, Model model, CacheFormat format, int rows) {
        return new OpsBench(model, format, rows) {
            private final DeviceArrays arrays = device.arrays();
            private final KvCache cache = new KvCache(model.config(), format, config, 0, new KvCache.Memory() {
                @Override
                public KvTensor tensor(KvGeometry geometry) {
                    return new GraphKvTensor(arrays, geometry);
                }

                @Override
                public HostMemory host() {
                    return arrays.hostMemory();
                }
            });
            private final Uploads uploads = new Uploads(arrays);
            private final GraphTables tables = new GraphTables(step, arrays, uploads);
            private final GraphStep part = new GraphStep(
                    step,
                    arrays,
                    uploads,
                    RopeTables.of(model.config()),
                    rows,
                    model.config().attention().ropeDim());
            private final GraphRecorder recorder = new GraphRecorder(arrays, rows);
            private final Ops ops = ops(device);

            private Ops ops(TestDevice which) {
                List<Integer> anchors = model.config().indexer().anchors();
                var slabs = new GraphSlabs(arrays, GraphKvTensor.of(cache.tensor()), cache.host());
                var hotRows = new GraphHotRows(
                        step,
                        tables,
                        slabs,
                        arrays,
                        anchors,
                        model.config().indexer().topK(),
                        1);
                boolean cuda = which.name().startsWith("TORNADO") && GraphDevices.records();
                return new GraphOps(
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
                        cuda ? Variant.CUDA : Variant.PORTABLE);
            }

            @Override
            Ops ops() {
                return ops;
            }

            @Override
            void write(Activation to, float[] values) {
                uploads.floats(values, values.length, GraphActivation.of(to).data());
            }

            @Override
            void execute() {
                tables.upload();
                part.upload(0, step.rows(), 0);
                var plan = recorder.plan();
                arrays.send();
                plan.execute();
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
