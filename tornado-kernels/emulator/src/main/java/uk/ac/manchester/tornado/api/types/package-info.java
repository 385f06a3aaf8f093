/** Small floats. Names and descriptors of TornadoVM's API. */
@NullMarked
package uk.ac.manchester.tornado.api.types;

import org.jspecify.annotations.NullMarked;
