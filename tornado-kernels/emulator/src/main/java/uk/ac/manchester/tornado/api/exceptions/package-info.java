/** What goes wrong. Names and descriptors of TornadoVM's API. */
@NullMarked
package uk.ac.manchester.tornado.api.exceptions;

import org.jspecify.annotations.NullMarked;
