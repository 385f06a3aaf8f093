/** Kernels as functions, and devices. Names and descriptors of TornadoVM's API. */
@NullMarked
package uk.ac.manchester.tornado.api.common;

import org.jspecify.annotations.NullMarked;
