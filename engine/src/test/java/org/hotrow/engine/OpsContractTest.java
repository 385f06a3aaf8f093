package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.KvDtype;
import org.hotrow.modelloader.AttentionConfig;
import org.hotrow.modelloader.IndexerConfig;
import org.hotrow.modelloader.IndexerWeights;
import org.hotrow.modelloader.LayerWeights;
import org.hotrow.modelloader.MoeMlp;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each operation of the walk on a device against the CPU's, on the weights of a checkpoint; goldens hold the CPU's. */
class OpsContractTest {
    private static final CacheFormat FORMAT = CacheFormat.of(KvDtype.FP8);
    private static final int ROWS = 3;
    private static final double TOLERANCE = 2e-5;
    private static final Model MODEL = Model.open(Golden.resource("glm-tiny/tiny-fp8"));
    private static final AttentionConfig ATTENTION = MODEL.config().attention();
    private static final IndexerConfig INDEXER = MODEL.config().indexer();
    private static final int HIDDEN = MODEL.config().hiddenSize();
    private static final int ROW = ATTENTION.latentRank() + ATTENTION.ropeDim();
    private static final LayerWeights FIRST = MODEL.weights().layers().getFirst();

    @AfterAll
    static void close() {
        MODEL.close();
    }

    /** Records an operation over inputs and returns what it leaves. */
    interface Operation {
        Activation of(Ops ops, List<Activation> in);
    }

    record Case(String name, Operation operation, List<Integer> widths) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Case of(String name, Operation operation, Integer... widths) {
        return new Case(name, operation, List.of(widths));
    }

    private static Activation into(Activation out, Runnable operation) {
        operation.run();
        return out;
    }

    private static List<Case> cases() {
        IndexerWeights indexer = MODEL.weights().layers().stream()
                .map(LayerWeights::indexer)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
        int query = ATTENTION.heads() * ATTENTION.queryDim();
        return List.of(
                of("embed", (ops, in) -> {
                    Activation out = ops.activation(HIDDEN);
                    return into(out, () -> ops.embed(MODEL.weights().embedding(), out));
                }),
                of(
                        "rmsNorm",
                        (ops, in) -> {
                            Activation out = ops.activation(HIDDEN);
                            return into(out, () -> ops.rmsNorm(in.getFirst(), FIRST.inputNorm(), out));
                        },
                        HIDDEN),
                of(
                        "rmsNorm of columns",
                        (ops, in) -> {
                            Activation latent = in.getFirst().columns(0, ATTENTION.latentRank());
                            return into(
                                    in.getFirst(),
                                    () -> ops.rmsNorm(latent, FIRST.attention().kvANorm(), latent));
                        },
                        ROW),
                of(
                        "layerNorm",
                        (ops, in) -> into(
                                in.getFirst(),
                                () -> ops.layerNorm(
                                        in.getFirst(), indexer.kNormWeight(), indexer.kNormBias(), in.getFirst())),
                        INDEXER.headDim()),
                of(
                        "linear",
                        (ops, in) -> {
                            Activation out = ops.activation(ATTENTION.queryRank());
                            return into(out, () -> ops.linear(FIRST.attention().qA(), in.getFirst(), out));
                        },
                        HIDDEN),
                of(
                        "linear of bf16",
                        (ops, in) -> {
                            Activation out = ops.activation(INDEXER.heads());
                            return into(out, () -> ops.linear(indexer.headWeights(), in.getFirst(), out));
                        },
                        HIDDEN),
                of("add", (ops, in) -> into(in.getLast(), () -> ops.add(in.getFirst(), in.getLast())), HIDDEN, HIDDEN),
                of(
                        "addNorm",
                        (ops, in) -> {
                            Activation out = ops.activation(HIDDEN);
                            return into(out, () -> ops.addNorm(in.getFirst(), in.getLast(), FIRST.inputNorm(), out));
                        },
                        HIDDEN,
                        HIDDEN),
                of(
                        "the sum of addNorm",
                        (ops, in) -> into(
                                in.getLast(),
                                () -> ops.addNorm(
                                        in.getFirst(), in.getLast(), FIRST.inputNorm(), ops.activation(HIDDEN))),
                        HIDDEN,
                        HIDDEN),
                of(
                        "join",
                        (ops, in) -> {
                            Activation out = ops.activation(2 * HIDDEN);
                            return into(out, () -> ops.join(in.getFirst(), in.getLast(), out));
                        },
                        HIDDEN,
                        HIDDEN),
                of(
                        "keep and take",
                        (ops, in) -> {
                            Activation all = ops.features();
                            Activation out = ops.activation(HIDDEN);
                            return into(out, () -> {
                                ops.keep(in.getFirst(), all);
                                ops.take(all, out);
                            });
                        },
                        HIDDEN),
                of(
                        "swiglu",
                        (ops, in) -> into(in.getFirst(), () -> ops.swiglu(in.getFirst(), in.getLast(), in.getFirst())),
                        HIDDEN,
                        HIDDEN),
                rope("rope", query, ATTENTION.heads(), ATTENTION.nopeDim(), true),
                rope("rope of halves", INDEXER.heads() * INDEXER.headDim(), INDEXER.heads(), 0, false),
                of(
                        "absorb",
                        (ops, in) -> {
                            Activation out = ops.activation(ATTENTION.heads() * ROW);
                            return into(out, () -> ops.absorb(FIRST.attention().kvB(), in.getFirst(), out));
                        },
                        query),
                of(
                        "expand",
                        (ops, in) -> {
                            Activation out = ops.activation(ATTENTION.heads() * ATTENTION.valueDim());
                            return into(out, () -> ops.expand(FIRST.attention().kvB(), in.getFirst(), out));
                        },
                        ATTENTION.heads() * ATTENTION.latentRank()),
                of("route and experts", OpsContractTest::experts, HIDDEN),
                of(
                        "write, resolve and attend",
                        OpsContractTest::attend,
                        ROW,
                        ATTENTION.heads() * ROW,
                        INDEXER.headDim(),
                        INDEXER.heads() * INDEXER.headDim(),
                        INDEXER.heads()),
                of(
                        "logits",
                        (ops, in) -> {
                            Activation normed = ops.logitActivation(HIDDEN);
                            Activation logits =
                                    ops.logitActivation(MODEL.config().vocabSize());
                            return into(
                                    logits,
                                    () -> ops.logits(
                                            in.getFirst(),
                                            MODEL.weights().norm(),
                                            MODEL.weights().head(),
                                            normed,
                                            logits));
                        },
                        HIDDEN));
    }

    private static Case rope(String name, int width, int heads, int at, boolean interleaved) {
        return of(
                name,
                (ops, in) -> into(in.getFirst(), () -> {
                    ops.angles();
                    ops.rope(in.getFirst(), heads, at, interleaved);
                }),
                width);
    }

    private static Activation experts(Ops ops, List<Activation> in) {
        MoeMlp moe = MODEL.weights().layers().stream()
                .map(LayerWeights::mlp)
                .filter(MoeMlp.class::isInstance)
                .map(MoeMlp.class::cast)
                .findFirst()
                .orElseThrow();
        int chosen = MODEL.config().mlp().expertsPerToken();
        IntRows experts = ops.ints(chosen);
        Activation shares = ops.activation(chosen);
        Activation out = ops.activation(HIDDEN);
        ops.route(moe.router(), moe.bias(), in.getFirst(), experts, shares);
        ops.experts(moe.experts(), in.getFirst(), experts, shares, out);
        return out;
    }

    /** Rows and keys of three positions, and attention over those that each selects: all up to its own. */
    private static Activation attend(Ops ops, List<Activation> in) {
        IntRows positions = ops.ints(INDEXER.topK());
        IntRows rows = ops.ints(INDEXER.topK());
        Activation out = ops.activation(ATTENTION.heads() * ATTENTION.latentRank());
        ops.writeRow(0, in.getFirst());
        ops.writeIndexKey(0, in.get(2));
        ops.select(0, in.get(3), in.get(4), positions);
        ops.resolve(0, positions, rows);
        ops.attend(0, in.get(1), rows, out);
        return out;
    }

    static Stream<Arguments> devicesAndOperations() {
        return TestDevice.graphs().stream()
                .filter(TestDevice::asForUsers)
                .flatMap(device -> cases().stream().map(operation -> Arguments.of(device, operation)));
    }

    private static List<float[]> inputs(Case operation) {
        Random random = new Random(operation.name.length());
        return operation.widths.stream()
                .map(width -> {
                    float[] values = new float[ROWS * width];
                    for (int i = 0; i < values.length; i++) {
                        values[i] = (float) random.nextGaussian();
                    }
                    return values;
                })
                .toList();
    }

    @ParameterizedTest
    @MethodSource("devicesAndOperations")
    void computesWhatTheCpuComputes(TestDevice device, Case operation) {
        List<float[]> inputs = inputs(operation);
        float[] expected;
        try (OpsBench cpu = OpsBench.cpu(MODEL, FORMAT, OpsBench.Place.first(ROWS), Lanes.vector(), 1)) {
            expected = cpu.run(operation.operation::of, operation.widths, inputs);
        }
        float[] actual;
        try (OpsBench graphs =
                OpsBench.graphs(device.arrays(), device.variant(), MODEL, FORMAT, OpsBench.Place.first(ROWS))) {
            actual = graphs.run(operation.operation::of, operation.widths, inputs);
        }
        double largest = 0;
        for (float value : expected) {
            largest = Math.max(largest, Math.abs(value));
        }
        assertThat(largest).isPositive();
        assertThat(actual).hasSameSizeAs(expected);
        for (int i = 0; i < expected.length; i++) {
            assertThat(Math.abs((double) actual[i] - expected[i]))
                    .as("value %d of %d", i, expected.length)
                    .isLessThanOrEqualTo(TOLERANCE * largest);
        }
    }
}
