package uk.ac.manchester.tornado.api;

/** How long an execution took on the device. */
public class TornadoProfilerResult {
    TornadoProfilerResult() {}

    /** Nanoseconds of all kernels together. Always 0 here: the emulator has no device whose time says anything. */
    public long getDeviceKernelTime() {
        return 0;
    }
}
