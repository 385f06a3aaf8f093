package uk.ac.manchester.tornado.api.enums;

/** What a device is driven by. The emulator is {@link #JAVA}. */
public enum TornadoVMBackendType {
    /** OpenCL. */
    OPENCL,
    /** Metal. */
    METAL,
    /** PTX, gone after 5.2.0. */
    PTX,
    /** CUDA C. */
    CUDA,
    /** SPIR-V, gone after 5.2.0. */
    SPIRV,
    /** The JVM. */
    JAVA,
    /** A device that compiles and never runs. */
    VIRTUAL
}
