/** Task graphs, execution plans and worker grids. Names and descriptors of TornadoVM's API. */
@NullMarked
package uk.ac.manchester.tornado.api;

import org.jspecify.annotations.NullMarked;
