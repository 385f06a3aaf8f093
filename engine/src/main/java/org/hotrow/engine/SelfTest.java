package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.hotrow.kernels.tornado.Variant;
import uk.ac.manchester.tornado.api.TornadoExecutionPlan;

/**
 * What comes before any model on a device of task graphs: each kernel of the walk computes known answers. Outputs hold
 * poison before, rows that are padding hold it too, and none of it may be touched or used.
 *
 * <pre>
 * plain      round 0
 * recorded   round 1 | round 2
 * plain      round 0 | round 1      where the back end records no graphs
 * </pre>
 *
 * A round has other inputs in the same arrays, so that a number that was frozen, or an upload that was left out, shows.
 */
final class SelfTest {
    private SelfTest() {}

    /**
     * The checks for a model.
     *
     * @param headBits of the codes of its key-value up-projections, 8 or 16
     */
    static List<KernelCheck> checks(CheckBench bench, CacheFormat format, Set<Integer> headBits) {
        return Stream.of(
                        VectorChecks.all(bench),
                        MatrixChecks.all(bench, headBits),
                        ExpertChecks.all(bench),
                        CacheChecks.all(bench, format),
                        SelectionChecks.all(bench, format),
                        HotRowChecks.all(bench),
                        DraftChecks.all(bench),
                        PageChecks.all(bench))
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Runs all checks.
     *
     * @param name of the device
     * @return how many there are
     * @throws DeviceException with the first kernel that computed something else
     */
    static int run(
            Supplier<DeviceArrays> device, Variant variant, CacheFormat format, Set<Integer> headBits, String name) {
        try (DeviceArrays arrays = device.get();
                CheckBench bench = new CheckBench(arrays, variant)) {
            List<KernelCheck> checks = checks(bench, format, headBits);
            run(arrays, checks, name);
            return checks.size();
        }
    }

    static void run(DeviceArrays arrays, List<KernelCheck> checks, String name) {
        try (Uploads uploads = new Uploads(arrays)) {
            if (arrays.records()) {
                run(arrays, uploads, checks, name, false, 0, 0);
                run(arrays, uploads, checks, name, true, 1, 2);
            } else {
                run(arrays, uploads, checks, name, false, 0, 1);
            }
        }
    }

    private static void run(
            DeviceArrays arrays,
            Uploads uploads,
            List<KernelCheck> checks,
            String name,
            boolean recorded,
            int first,
            int last) {
        String graphs = recorded ? "recorded" : "plain";
        List<CheckRound> rounds = rounds(arrays, uploads, checks, first);
        var recorder = new GraphRecorder(arrays, graphs, recorded);
        for (int i = 0; i < checks.size(); i++) {
            KernelCheck check = checks.get(i);
            recorder.add("check", check.tasks(), check.piece(), check.arrays().toArray());
            recorder.bringBack(rounds.get(i).outputs());
        }
        TornadoExecutionPlan plan = recorder.plan();
        for (int number = first; number <= last; number++) {
            if (number > first) {
                rounds = rounds(arrays, uploads, checks, number);
            }
            arrays.send();
            plan.execute();
            for (int i = 0; i < checks.size(); i++) {
                Optional<String> mismatch = rounds.get(i).mismatch();
                if (mismatch.isPresent()) {
                    throw new DeviceException(name + ": the self-test finds that the kernel " + checks.get(i)
                            + " computes something else in " + graphs + " graphs, round " + number + ": "
                            + mismatch.get() + "; nothing was loaded: take --device cpu, and report it");
                }
            }
        }
        arrays.close(plan);
    }

    private static List<CheckRound> rounds(DeviceArrays arrays, Uploads uploads, List<KernelCheck> checks, int number) {
        List<CheckRound> rounds = new ArrayList<>();
        for (KernelCheck check : checks) {
            CheckRound round = new CheckRound(number, arrays, uploads);
            check.inputs().send(round);
            rounds.add(round);
        }
        return rounds;
    }
}
