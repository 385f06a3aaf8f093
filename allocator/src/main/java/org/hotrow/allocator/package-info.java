/** Block pool, KV geometry and block tables. Knows no GPU types. */
@NullMarked
package org.hotrow.allocator;

import org.jspecify.annotations.NullMarked;
