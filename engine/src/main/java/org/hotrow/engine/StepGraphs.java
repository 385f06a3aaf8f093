package org.hotrow.engine;

import uk.ac.manchester.tornado.api.TornadoExecutionPlan;

/**
 * Launches the graphs of a walk, one after the other, and returns when they are done.
 *
 * <p>{@link Planned} leaves that to TornadoVM, which launches each recorded graph and waits for it. The other way, which
 * isn't built, would be one graph of the driver for the whole step, recorded by JCuda from the same kernels' PTX: it would
 * save the launches and waits of all graphs but one.
 */
interface StepGraphs {
    void launch();

    /** Nothing can be launched any more. */
    void close();

    /** A plan of TornadoVM. */
    record Planned(TornadoExecutionPlan plan, DeviceArrays arrays) implements StepGraphs {
        @Override
        public void launch() {
            plan.execute();
        }

        @Override
        public void close() {
            arrays.close(plan);
        }
    }
}
