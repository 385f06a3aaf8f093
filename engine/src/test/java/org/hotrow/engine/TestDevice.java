package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import org.hotrow.engine.lanes.Lanes;
import org.hotrow.kernels.tornado.Variant;

/** The devices of a machine: without an SDK of TornadoVM the CPU and the emulator, with one the CPU and its device. */
enum TestDevice {
    CPU,
    /** Graphs as they run for users: recorded, and replayed from then on. */
    EMULATED,
    /** Graphs that are launched task by task. */
    EMULATED_UNRECORDED,
    /** Recorded by the CUDA back end. */
    TORNADO,
    TORNADO_UNRECORDED;

    static List<TestDevice> here() {
        List<TestDevice> devices = new ArrayList<>(List.of(CPU));
        devices.addAll(graphs());
        return devices;
    }

    /** Those that run task graphs. */
    static List<TestDevice> graphs() {
        try {
            GraphDevices.requireTornado();
        } catch (DeviceException noSdk) {
            return List.of(EMULATED, EMULATED_UNRECORDED);
        }
        return GraphDevices.records() ? List.of(TORNADO, TORNADO_UNRECORDED) : List.of(TORNADO);
    }

    Devices of(Model model, CacheFormat format) {
        return switch (this) {
            case CPU -> new CpuDevices(model, format, Lanes.vector(), 1, LoadProgress.NONE);
            case EMULATED_UNRECORDED -> GraphDevices.emulated(model, format, LoadProgress.NONE, false);
            case EMULATED -> GraphDevices.emulated(model, format, LoadProgress.NONE);
            case TORNADO -> GraphDevices.tornado(model, format, LoadProgress.NONE);
            case TORNADO_UNRECORDED -> GraphDevices.tornado(model, format, LoadProgress.NONE, false);
        };
    }

    /** Whether it is not there for the comparison alone. */
    boolean asForUsers() {
        return this != EMULATED_UNRECORDED && this != TORNADO_UNRECORDED;
    }

    /** Whether it reads pages on the host. */
    boolean readsHost() {
        return (this != TORNADO && this != TORNADO_UNRECORDED) || GraphDevices.records();
    }

    /** Which kernels it takes. */
    Variant variant() {
        return name().startsWith("TORNADO") && GraphDevices.records() ? Variant.CUDA : Variant.PORTABLE;
    }

    /** Memory of a device that runs task graphs. */
    DeviceArrays arrays() {
        return switch (this) {
            case CPU -> throw new IllegalStateException("the CPU runs no graphs");
            case EMULATED -> new EmulatedArrays(true);
            case EMULATED_UNRECORDED -> new EmulatedArrays(false);
            case TORNADO -> GraphDevices.tornadoArrays(GraphDevices.records());
            case TORNADO_UNRECORDED -> GraphDevices.tornadoArrays(false);
        };
    }
}
