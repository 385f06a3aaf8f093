/** JMH benchmarks. */
@NullMarked
package org.hotrow.bench;

import org.jspecify.annotations.NullMarked;
