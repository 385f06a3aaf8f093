package uk.ac.manchester.tornado.api;

/** A grid of 2 dimensions. */
public class WorkerGrid2D extends AbstractWorkerGrid {
    /** Work-items in x, y; set the local ones before the grid is used. */
    public WorkerGrid2D(int x, int y) {
        super(x, y, 1);
    }

    @Override
    public int dimension() {
        return 2;
    }
}
