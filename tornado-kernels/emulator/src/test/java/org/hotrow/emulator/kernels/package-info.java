/** Kernels that the emulator's tests run: right ones, and wrong ones whose lines are marked. */
@NullMarked
package org.hotrow.emulator.kernels;

import org.jspecify.annotations.NullMarked;
