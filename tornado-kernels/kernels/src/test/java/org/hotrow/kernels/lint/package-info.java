/** Refuses what TornadoVM 5.2.0 compiles wrongly, or not at all, by the class files of kernels. */
@NullMarked
package org.hotrow.kernels.lint;

import org.jspecify.annotations.NullMarked;
