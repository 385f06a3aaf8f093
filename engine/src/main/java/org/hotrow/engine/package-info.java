/** The model walk, its devices and the command line. */
@NullMarked
package org.hotrow.engine;

import org.jspecify.annotations.NullMarked;
