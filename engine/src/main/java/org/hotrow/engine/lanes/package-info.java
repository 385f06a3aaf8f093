/** The inner loops of the CPU device, in plain Java and with the Vector API. */
@org.jspecify.annotations.NullMarked
package org.hotrow.engine.lanes;
