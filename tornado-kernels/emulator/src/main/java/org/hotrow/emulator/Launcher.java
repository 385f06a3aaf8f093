package org.hotrow.emulator;

/** Runs all groups of a launch. */
@FunctionalInterface
public interface Launcher {
    /** Returns when every work-item has ended. */
    void launch(Launch launch);

    /** The launcher that plans use. */
    static Launcher current() {
        return new GroupLauncher();
    }
}
