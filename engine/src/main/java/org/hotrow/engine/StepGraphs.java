package org.hotrow.engine;

import uk.ac.manchester.tornado.api.TornadoExecutionPlan;

/**
 * Launches the graphs of a walk, one after the other, and returns when they are done.
 *
 * <p>{@link Planned} leaves that to TornadoVM, which launches each recorded graph and waits for it. The other way, which
 * isn't built, would be one graph of the driver for the whole step, recorded by JCuda from the same kernels' PTX: it would
 * save the launches and waits of all graphs but one. An execution of 1, 8 and 24 recorded graphs of one small task takes the
 * host 0.19, 2.2 and 19.5 ms, on a driver that runs kernels on the CPU ({@code bench/bin/h200 run --only host} measures it).
 */
interface StepGraphs {
    void launch();

    /** How many they are. */
    int count();

    /**
     * Executes a plan.
     *
     * @throws EngineException if the device fails, by what failed
     */
    static void launch(TornadoExecutionPlan plan) {
        try {
            plan.execute();
        } catch (RuntimeException e) {
            throw new EngineException("the device failed: " + e.getMessage(), e);
        }
    }

    /** Nothing can be launched any more. */
    void close();

    /** A plan of TornadoVM. */
    record Planned(TornadoExecutionPlan plan, int count, DeviceArrays arrays) implements StepGraphs {
        @Override
        public void launch() {
            StepGraphs.launch(plan);
        }

        @Override
        public void close() {
            arrays.close(plan);
        }
    }
}
