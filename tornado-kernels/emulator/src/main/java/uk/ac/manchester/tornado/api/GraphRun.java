package uk.ac.manchester.tornado.api;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hotrow.emulator.Launch;
import org.hotrow.emulator.Launcher;
import org.jspecify.annotations.Nullable;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * A graph in a plan: its device memory and, once recorded, its launches.
 *
 * <pre>
 * first execution   allocate, consume, copy FIRST_EXECUTION arrays
 * each execution    copy EVERY_EXECUTION arrays in, run the tasks, copy EVERY_EXECUTION arrays out
 * </pre>
 */
final class GraphRun {
    private final ImmutableTaskGraph graph;
    private final DeviceMemory memory = new DeviceMemory();
    private boolean prepared;
    private @Nullable Recording recording;

    GraphRun(ImmutableTaskGraph graph) {
        this.graph = graph;
    }

    /** The launches of a CUDA graph, to be replayed by the thread that recorded them. */
    private record Recording(List<Launch> launches, Thread thread) {}

    ImmutableTaskGraph graph() {
        return graph;
    }

    DeviceMemory memory() {
        return memory;
    }

    /** Checks the grids of all tasks. */
    void compile(@Nullable GridScheduler grids) {
        for (TaskDefinition task : graph.tasks) {
            grid(task, grids);
        }
    }

    /**
     * Executes the graph.
     *
     * @param previous the graph that the plan executed last, if any
     */
    void execute(@Nullable GridScheduler grids, boolean record, @Nullable GraphRun previous) {
        consume(previous);
        if (!prepared) {
            graph.allocated.forEach(memory::allocate);
            upload(DataTransferMode.FIRST_EXECUTION);
            prepared = true;
        }
        List<Launch> launches = record ? recorded(grids) : launches(grids);
        upload(DataTransferMode.EVERY_EXECUTION);
        Launcher launcher = Launcher.current();
        launches.forEach(launcher::launch);
        for (Map.Entry<TornadoNativeArray, Integer> download : graph.downloads.entrySet()) {
            if (download.getValue() == DataTransferMode.EVERY_EXECUTION) {
                memory.download(download.getKey());
            }
        }
    }

    private void upload(int mode) {
        for (Map.Entry<TornadoNativeArray, Integer> upload : graph.uploads.entrySet()) {
            if (upload.getValue() == mode) {
                memory.upload(upload.getKey());
            }
        }
    }

    private void consume(@Nullable GraphRun previous) {
        for (Map.Entry<TornadoNativeArray, String> consumed : graph.consumed.entrySet()) {
            TornadoNativeArray array = consumed.getKey();
            String producer = consumed.getValue();
            if (previous == null
                    || !previous.graph.name.equals(producer)
                    || !previous.graph.persisted.contains(array)) {
                throw new TornadoRuntimeException(
                        "graph " + graph.name + " consumes " + array + " that graph " + producer
                                + " must persist and be the last one executed; that was "
                                + (previous == null ? "none" : previous.graph.name));
            }
            memory.share(array, previous.memory.copyOf(array));
        }
    }

    private List<Launch> recorded(@Nullable GridScheduler grids) {
        if (recording == null) {
            recording = new Recording(launches(grids), Thread.currentThread());
        }
        if (recording.thread() != Thread.currentThread()) {
            throw new TornadoRuntimeException("graph " + graph.name + " was recorded by thread "
                    + recording.thread().getName() + ", which alone may replay it");
        }
        return recording.launches();
    }

    private List<Launch> launches(@Nullable GridScheduler grids) {
        List<Launch> launches = new ArrayList<>();
        for (TaskDefinition task : graph.tasks) {
            List<Object> arguments = new ArrayList<>();
            for (Object argument : task.arguments()) {
                arguments.add(argument instanceof TornadoNativeArray array ? memory.copyOf(array) : argument);
            }
            Grid grid = grid(task, grids);
            launches.add(
                    new Launch(graph.name + "." + task.id(), task.kernel(), arguments, grid.global(), grid.local()));
        }
        return List.copyOf(launches);
    }

    private Grid grid(TaskDefinition task, @Nullable GridScheduler grids) {
        if (!task.hasWorkItems()) {
            return Grid.ONE;
        }
        String name = graph.name + "." + task.id();
        return Grid.of(name, grids == null ? null : grids.get(name));
    }

    /** Whether the launches are recorded. */
    boolean isRecorded() {
        return recording != null;
    }

    /** Gives the device memory back; the next execution begins anew. */
    void free() {
        memory.free();
        prepared = false;
    }
}
