package org.hotrow.kernels.tornado;

/** Which instructions a kernel may use. The numbers that it computes are the same. */
public enum Variant {
    /** Those that every back end of TornadoVM has. */
    PORTABLE,
    /** Those that only CUDA has too. */
    CUDA;

    /** For kernels: 1 if they may use what only CUDA has. TornadoVM freezes it, and the other branch is gone. */
    int cuda() {
        return this == CUDA ? 1 : 0;
    }
}
