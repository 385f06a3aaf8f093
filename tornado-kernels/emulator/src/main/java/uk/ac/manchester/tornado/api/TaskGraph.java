package uk.ac.manchester.tornado.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import uk.ac.manchester.tornado.api.enums.DataTransferMode;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/**
 * Tasks in order, and what moves between host and device before and after them.
 *
 * <p>Each graph has its own device memory. An array that the graph names nowhere but in a task is allocated and holds
 * poison: TornadoVM would copy it at the first execution or not, depending on what it sees in the kernel.
 */
public final class TaskGraph extends TaskForms {
    /** Most tasks of a graph. */
    static final int MAX_TASKS = 256;

    /** Bytes of TornadoVM's buffer for a graph's tasks; each takes {@code 15 + 5 x arguments}. */
    static final int CODE_BUFFER = 8192;

    private final String name;
    private final List<TaskDefinition> tasks = new ArrayList<>();
    private final Map<TornadoNativeArray, Integer> uploads = new LinkedHashMap<>();
    private final Map<TornadoNativeArray, Integer> downloads = new LinkedHashMap<>();
    private final Map<TornadoNativeArray, String> consumed = new LinkedHashMap<>();
    private final Set<TornadoNativeArray> persisted = new LinkedHashSet<>();
    private int codeBytes;

    /** An empty graph, whose name must be unique in its plan. */
    public TaskGraph(String name) {
        this.name = name;
    }

    /** The name. */
    public String getTaskGraphName() {
        return name;
    }

    @Override
    TaskGraph append(String id, Object kernel, Object... arguments) {
        String task = name + "." + id;
        if (tasks.stream().anyMatch(other -> other.id().equals(id))) {
            throw new TornadoRuntimeException("there are two tasks " + task);
        }
        if (tasks.size() == MAX_TASKS) {
            throw new TornadoRuntimeException("task " + task + " is one more than the " + MAX_TASKS + " of a graph");
        }
        codeBytes += 15 + 5 * arguments.length;
        if (codeBytes > CODE_BUFFER) {
            throw new TornadoRuntimeException("task " + task + " brings the graph to " + codeBytes
                    + " bytes of code; the limit is " + CODE_BUFFER + ": split the graph");
        }
        for (int i = 0; i < arguments.length; i++) {
            requireUsable(task, i + 1, arguments[i]);
        }
        tasks.add(new TaskDefinition(id, kernel, List.of(arguments)));
        return this;
    }

    private static void requireUsable(String task, int number, Object argument) {
        switch (argument) {
            case KernelContext _ -> {}
            case TornadoNativeArray _ -> {}
            case Byte _ -> {}
            case Short _ -> {}
            case Integer _ -> {}
            case Long _ -> {}
            case Float _ -> {}
            case Double _ -> {}
            case null, default ->
                throw new TornadoRuntimeException("task " + task + ": argument " + number + " is "
                        + (argument == null
                                ? "null"
                                : "a " + argument.getClass().getName())
                        + "; kernels take a KernelContext, TornadoVM's arrays and numbers");
        }
    }

    /**
     * Names arrays that are copied to the device before the tasks, or only allocated there.
     *
     * @param mode of {@link DataTransferMode}
     */
    public TaskGraph transferToDevice(int mode, Object... arrays) {
        switch (mode) {
            case DataTransferMode.FIRST_EXECUTION, DataTransferMode.EVERY_EXECUTION, DataTransferMode.UNDER_DEMAND -> {}
            default -> throw new TornadoRuntimeException("graph " + name + ": there is no transfer mode " + mode);
        }
        for (Object object : arrays) {
            TornadoNativeArray array = requireArray("transferToDevice", object);
            requireOnce("transferToDevice", consumed.containsKey(array) || uploads.put(array, mode) != null);
        }
        return this;
    }

    /** Names arrays whose device memory is that of the graph that ran just before and persisted them. */
    public TaskGraph consumeFromDevice(String producer, Object... arrays) {
        for (Object object : arrays) {
            TornadoNativeArray array = requireArray("consumeFromDevice", object);
            requireOnce("consumeFromDevice", uploads.containsKey(array) || consumed.put(array, producer) != null);
        }
        return this;
    }

    /**
     * Names arrays that are copied to the host after the tasks.
     *
     * @param mode {@link DataTransferMode#EVERY_EXECUTION} or {@link DataTransferMode#UNDER_DEMAND}
     */
    public TaskGraph transferToHost(int mode, Object... arrays) {
        if (mode != DataTransferMode.EVERY_EXECUTION && mode != DataTransferMode.UNDER_DEMAND) {
            throw new TornadoRuntimeException(
                    "graph " + name + ": transferToHost takes EVERY_EXECUTION or UNDER_DEMAND");
        }
        for (Object object : arrays) {
            TornadoNativeArray array = requireArray("transferToHost", object);
            requireOnce("transferToHost", downloads.put(array, mode) != null);
        }
        return this;
    }

    /** Names arrays whose device memory the next graph may consume. */
    public TaskGraph persistOnDevice(Object... arrays) {
        for (Object object : arrays) {
            requireOnce("persistOnDevice", !persisted.add(requireArray("persistOnDevice", object)));
        }
        return this;
    }

    private TornadoNativeArray requireArray(String call, Object object) {
        if (object instanceof TornadoNativeArray array) {
            return array;
        }
        throw new TornadoRuntimeException("graph " + name + ": " + call + " takes TornadoVM's arrays, not "
                + (object == null ? "null" : object.getClass().getName()));
    }

    private void requireOnce(String call, boolean known) {
        if (known) {
            throw new TornadoRuntimeException(
                    "graph " + name + ": " + call + " names an array that a call of this direction has named before");
        }
    }

    /** The graph as it is now. */
    public ImmutableTaskGraph snapshot() {
        return new ImmutableTaskGraph(name, tasks, uploads, consumed, downloads, persisted);
    }
}
