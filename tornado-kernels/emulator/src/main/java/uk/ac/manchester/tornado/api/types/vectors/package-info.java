/** Packed numbers. Names and descriptors of TornadoVM's API. */
@NullMarked
package uk.ac.manchester.tornado.api.types.vectors;

import org.jspecify.annotations.NullMarked;
