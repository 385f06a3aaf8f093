package uk.ac.manchester.tornado.api;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.BFloat16Array;
import uk.ac.manchester.tornado.api.types.arrays.FP8Array;
import uk.ac.manchester.tornado.api.types.arrays.Int8Array;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** A finished task graph. */
public class ImmutableTaskGraph {
    final String name;
    final List<TaskDefinition> tasks;
    /** Array to transfer mode, before the tasks. */
    final Map<TornadoNativeArray, Integer> uploads;
    /** Array to the name of the graph that produced it. */
    final Map<TornadoNativeArray, String> consumed;
    /** Array to transfer mode, after the tasks. */
    final Map<TornadoNativeArray, Integer> downloads;

    final Set<TornadoNativeArray> persisted;
    /** Arrays that need memory of this graph: all but the consumed ones. */
    final Set<TornadoNativeArray> allocated;

    ImmutableTaskGraph(
            String name,
            List<TaskDefinition> tasks,
            Map<TornadoNativeArray, Integer> uploads,
            Map<TornadoNativeArray, String> consumed,
            Map<TornadoNativeArray, Integer> downloads,
            Set<TornadoNativeArray> persisted) {
        this.name = name;
        this.tasks = List.copyOf(tasks);
        this.uploads = Collections.unmodifiableMap(new LinkedHashMap<>(uploads));
        this.consumed = Collections.unmodifiableMap(new LinkedHashMap<>(consumed));
        this.downloads = Collections.unmodifiableMap(new LinkedHashMap<>(downloads));
        this.persisted = Collections.unmodifiableSet(new LinkedHashSet<>(persisted));
        this.allocated = Collections.unmodifiableSet(allocated());
    }

    private Set<TornadoNativeArray> allocated() {
        Set<TornadoNativeArray> arrays = new LinkedHashSet<>(uploads.keySet());
        for (TaskDefinition task : tasks) {
            for (Object argument : task.arguments()) {
                if (argument instanceof TornadoNativeArray array) {
                    requireNameable(task, array);
                    arrays.add(array);
                }
            }
        }
        arrays.removeAll(consumed.keySet());
        requireKnown("transferToHost", downloads.keySet(), arrays);
        requireKnown("persistOnDevice", persisted, arrays);
        return arrays;
    }

    /** TornadoVM 5.2.0 doesn't take these as arguments only. */
    private void requireNameable(TaskDefinition task, TornadoNativeArray array) {
        boolean special = array instanceof FP8Array || array instanceof Int8Array || array instanceof BFloat16Array;
        boolean named = uploads.containsKey(array)
                || consumed.containsKey(array)
                || downloads.containsKey(array)
                || persisted.contains(array);
        if (special && !named) {
            throw new TornadoRuntimeException("task " + name + "." + task.id() + ": " + array
                    + " must be named in a transfer, consume or persist call");
        }
    }

    private void requireKnown(String call, Set<TornadoNativeArray> named, Set<TornadoNativeArray> arrays) {
        for (TornadoNativeArray array : named) {
            if (!arrays.contains(array) && !consumed.containsKey(array)) {
                throw new TornadoRuntimeException("graph " + name + ": " + call + " of " + array
                        + " that no task, transfer or consume call names");
            }
        }
    }
}
