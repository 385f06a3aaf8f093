package org.hotrow.emulator;

import java.util.List;

/**
 * One run of a task.
 *
 * @param task {@code graph.task}
 * @param kernel the object of a {@code TornadoFunctions.TaskN} type, N being the number of arguments
 * @param arguments device copies of arrays, boxed numbers, and kernel contexts, which stand for those of the work-items
 * @param global work-items in x, y and z
 * @param local work-items of a group in x, y and z; each divides its global number
 */
public record Launch(String task, Object kernel, List<Object> arguments, Extent global, Extent local) {
    /** Copies the arguments. */
    public Launch {
        arguments = List.copyOf(arguments);
    }

    /** A number of work-items or groups in each dimension, or the place of one; x runs fastest. */
    public record Extent(int x, int y, int z) {
        /** One work-item. */
        public static final Extent ONE = new Extent(1, 1, 1);

        /** How many there are. */
        int size() {
            return Math.multiplyExact(Math.multiplyExact(x, y), z);
        }

        /** The place of number {@code linear}. */
        Extent at(int linear) {
            return new Extent(linear % x, linear / x % y, linear / x / y);
        }

        /** This place in a grid, whose groups are {@code size} large, of a work-item at a place of its group. */
        Extent global(Extent size, Extent local) {
            return new Extent(x * size.x + local.x, y * size.y + local.y, z * size.z + local.z);
        }
    }

    Extent groups() {
        return new Extent(global.x / local.x, global.y / local.y, global.z / local.z);
    }
}
