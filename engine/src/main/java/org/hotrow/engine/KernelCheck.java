package org.hotrow.engine;

import java.util.List;
import java.util.Locale;

/**
 * A kernel on known answers: a part of the {@link SelfTest}.
 *
 * @param kernel its name, that of its source: {@code fp8-linear}
 * @param variant what tells it from other checks of the kernel; may be empty
 * @param tasks that the piece adds
 * @param inputs sends the numbers of a round and says what the kernel must make of them
 * @param arrays those of the piece, or records of them
 */
record KernelCheck(
        String kernel, String variant, int tasks, GraphRecorder.Piece piece, Inputs inputs, List<Object> arrays) {
    /** What differs from round to round. */
    interface Inputs {
        void send(CheckRound round);
    }

    KernelCheck {
        arrays = List.copyOf(arrays);
    }

    /** A check of the kernel that a class has. */
    static KernelCheck of(
            Class<?> kernel, String variant, int tasks, GraphRecorder.Piece piece, Inputs inputs, Object... arrays) {
        return new KernelCheck(name(kernel), variant, tasks, piece, inputs, List.of(arrays));
    }

    private static String name(Class<?> kernel) {
        return kernel.getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return variant.isEmpty() ? kernel : kernel + " (" + variant + ")";
    }
}
