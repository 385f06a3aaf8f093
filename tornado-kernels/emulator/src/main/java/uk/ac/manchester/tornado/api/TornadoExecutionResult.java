package uk.ac.manchester.tornado.api;

import java.util.List;
import uk.ac.manchester.tornado.api.exceptions.TornadoRuntimeException;
import uk.ac.manchester.tornado.api.types.arrays.TornadoNativeArray;

/** What an execution left on the device. */
public class TornadoExecutionResult {
    private final List<GraphRun> executed;

    TornadoExecutionResult(List<GraphRun> executed) {
        this.executed = List.copyOf(executed);
    }

    /** Copies arrays to the host, which an executed graph names in {@code transferToHost}. */
    public TornadoExecutionResult transferToHost(Object... arrays) {
        for (Object object : arrays) {
            if (!(object instanceof TornadoNativeArray array)) {
                throw new TornadoRuntimeException("transferToHost takes TornadoVM's arrays");
            }
            owner(array).download(array);
        }
        return this;
    }

    /** Copies a part of an array to the host. From then on only parts of this array can be copied. */
    public TornadoExecutionResult transferToHost(DataRange range) {
        range.copyFrom(owner(range.array()));
        return this;
    }

    /** Times of the execution, of a plan that was told {@code withProfiler}. */
    public TornadoProfilerResult getProfilerResult() {
        return new TornadoProfilerResult();
    }

    private DeviceMemory owner(TornadoNativeArray array) {
        for (GraphRun run : executed.reversed()) {
            if (run.graph().downloads.containsKey(array)) {
                return run.memory();
            }
        }
        throw new TornadoRuntimeException("no executed graph names this " + array + " in transferToHost");
    }
}
