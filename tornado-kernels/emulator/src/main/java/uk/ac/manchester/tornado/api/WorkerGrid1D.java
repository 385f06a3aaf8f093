package uk.ac.manchester.tornado.api;

/** A grid of 1 dimension. */
public class WorkerGrid1D extends AbstractWorkerGrid {
    /** Work-items; set the local ones before the grid is used. */
    public WorkerGrid1D(int x) {
        super(x, 1, 1);
    }

    @Override
    public int dimension() {
        return 1;
    }
}
