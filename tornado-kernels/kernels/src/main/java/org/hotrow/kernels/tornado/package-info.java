/**
 * Kernels for TornadoVM, one operation per file: formula, shape and floor, a plain reference, kernels from plain to fast,
 * and the piece that appends them to a task graph.
 *
 * <p>Arrays are row-major. What changes from step to step comes in arrays; shapes are numbers, which TornadoVM freezes
 * when it compiles a task. The rows of a step are those before {@code counts[0]}; a launch covers the most there can be,
 * and groups beyond the last row end at once.
 */
@NullMarked
package org.hotrow.kernels.tornado;

import org.jspecify.annotations.NullMarked;
