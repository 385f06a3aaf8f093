/** Kernels and number formats, each beside its plain reference. */
@NullMarked
package org.hotrow.kernels;

import org.jspecify.annotations.NullMarked;
