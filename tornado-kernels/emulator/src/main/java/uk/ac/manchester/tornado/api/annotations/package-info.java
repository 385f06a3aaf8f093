/** Annotations of kernels. Names and descriptors of TornadoVM's API. */
@NullMarked
package uk.ac.manchester.tornado.api.annotations;

import org.jspecify.annotations.NullMarked;
