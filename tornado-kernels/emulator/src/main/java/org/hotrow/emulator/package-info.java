/**
 * Runs kernels on the JVM, work-item by work-item.
 *
 * <pre>
 * GroupLauncher    a launch: its groups one after another, in the order of a Schedule
 *   WorkGroup      work-items as Coroutines; barriers; warps that exchange (WarpOperation)
 *     LocalMemory  the group's arrays
 *   Kernel         the code: as it is (fast), or rewritten to announce what it does (KernelLoader, Rewriter, Probe)
 *     Tracer       where the launch is; asks the Shadow of an array about each access, and tells the Meter
 * </pre>
 *
 * <p>Java needs {@code --add-exports java.base/jdk.internal.vm=tornado.api}, and with checks or meter
 * {@code java.base/jdk.internal.access} and {@code java.base/jdk.internal.reflect} too; {@code =ALL-UNNAMED} where the
 * emulator is on the class path. With checks or meter a kernel must be a reference to a static method. {@link
 * org.hotrow.emulator.Emulator} sets the mode.
 *
 * <p>Checks see what work-items do; they cannot see an order that no schedule tried, so tests run several seeds.
 */
@NullMarked
package org.hotrow.emulator;

import org.jspecify.annotations.NullMarked;
