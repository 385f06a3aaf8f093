/** Arrays in native memory. Names and descriptors of TornadoVM's API. */
@NullMarked
package uk.ac.manchester.tornado.api.types.arrays;

import org.jspecify.annotations.NullMarked;
