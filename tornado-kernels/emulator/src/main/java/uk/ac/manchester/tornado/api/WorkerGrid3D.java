package uk.ac.manchester.tornado.api;

/** A grid of 3 dimensions. */
public class WorkerGrid3D extends AbstractWorkerGrid {
    /** Work-items in x, y, z; set the local ones before the grid is used. */
    public WorkerGrid3D(int x, int y, int z) {
        super(x, y, z);
    }

    @Override
    public int dimension() {
        return 3;
    }
}
