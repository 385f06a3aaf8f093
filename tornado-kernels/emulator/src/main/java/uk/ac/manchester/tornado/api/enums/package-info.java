/** Modes and shapes. Names and descriptors of TornadoVM's API. */
@NullMarked
package uk.ac.manchester.tornado.api.enums;

import org.jspecify.annotations.NullMarked;
