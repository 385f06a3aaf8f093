/** Programs that show what kernels cost at the shapes of production; {@code tornado-kernels/bin} starts them. */
@NullMarked
package org.hotrow.kernels.inspect;

import org.jspecify.annotations.NullMarked;
