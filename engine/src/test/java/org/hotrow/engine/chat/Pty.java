package org.hotrow.engine.chat;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A process on a pseudo-terminal of its own, which it is the controlling terminal of, so that Ctrl-C is a signal. Linux
 * only: glibc or musl through the JDK's foreign functions, and {@code setsid} of util-linux or busybox.
 */
@SuppressWarnings("restricted") // A pseudo-terminal is opened by native functions only.
final class Pty implements AutoCloseable {
    private static final int READ_WRITE_NO_CONTROLLING = 0x102;
    private static final long SET_WINDOW_SIZE = 0x5414;
    private static final int SECONDS = 60;
    private static final MethodHandle OPEN = function("posix_openpt", JAVA_INT, JAVA_INT);
    private static final MethodHandle GRANT = function("grantpt", JAVA_INT, JAVA_INT);
    private static final MethodHandle UNLOCK = function("unlockpt", JAVA_INT, JAVA_INT);
    private static final MethodHandle NAME = function("ptsname", ADDRESS, JAVA_INT);
    private static final MethodHandle READ = function("read", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle WRITE = function("write", JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG);
    private static final MethodHandle CLOSE = function("close", JAVA_INT, JAVA_INT);
    private static final MethodHandle IOCTL = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().findOrThrow("ioctl"),
                    FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS),
                    Linker.Option.firstVariadicArg(2));

    private final int master;
    private final Process process;
    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private int seen;
    private boolean ended;

    private static MethodHandle function(String name, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().findOrThrow(name),
                        FunctionDescriptor.of(result, arguments));
    }

    /** Starts a command on a terminal of so many columns. */
    Pty(int columns, Map<String, String> environment, List<String> command) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            master = (int) OPEN.invokeExact(READ_WRITE_NO_CONTROLLING);
            assertThat(master).isPositive();
            assertThat((int) GRANT.invokeExact(master) + (int) UNLOCK.invokeExact(master))
                    .isZero();
            MemorySegment name = (MemorySegment) NAME.invokeExact(master);
            File slave = new File(name.reinterpret(128).getString(0));
            MemorySegment size =
                    arena.allocateFrom(ValueLayout.JAVA_SHORT, (short) 24, (short) columns, (short) 0, (short) 0);
            assertThat((int) IOCTL.invokeExact(master, SET_WINDOW_SIZE, size)).isZero();
            List<String> line = new ArrayList<>(List.of("setsid", "-c"));
            line.addAll(command);
            ProcessBuilder builder = new ProcessBuilder(line)
                    .redirectInput(slave)
                    .redirectOutput(slave)
                    .redirectError(slave);
            builder.environment().put("TERM", "xterm-256color");
            builder.environment().putAll(environment);
            process = builder.start();
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
        Thread.ofPlatform().daemon().start(this::pump);
    }

    private void pump() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment buffer = arena.allocate(4096);
            // The end is an error here: nobody has the other side open any more.
            for (long n = read(buffer); n > 0; n = read(buffer)) {
                synchronized (output) {
                    output.writeBytes(buffer.asSlice(0, n).toArray(ValueLayout.JAVA_BYTE));
                    output.notifyAll();
                }
            }
            assertThat((int) CLOSE.invokeExact(master)).isZero();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            synchronized (output) {
                ended = true;
                output.notifyAll();
            }
        }
    }

    private long read(MemorySegment buffer) throws Throwable {
        return (long) READ.invokeExact(master, buffer, buffer.byteSize());
    }

    /** Types keys as they are; {@code \r} is Enter. */
    void type(String keys) {
        try (Arena arena = Arena.ofConfined()) {
            byte[] bytes = keys.getBytes(StandardCharsets.UTF_8);
            MemorySegment text = arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes);
            assertThat((long) WRITE.invokeExact(master, text, (long) bytes.length))
                    .isEqualTo(bytes.length);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Waits until a text appears after what was seen before; what there is up to its end, without escape sequences. */
    String until(String text) throws InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        synchronized (output) {
            while (true) {
                String all = plain(output.toString(StandardCharsets.UTF_8));
                int at = all.indexOf(text, seen);
                if (at >= 0) {
                    String upTo = all.substring(seen, at + text.length());
                    seen = at + text.length();
                    return upTo;
                }
                assertThat(ended)
                        .as("%s, but the end came: %s", text, all.substring(Math.min(seen, all.length())))
                        .isFalse();
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                assertThat(left)
                        .as("%s after: %s", text, all.substring(Math.min(seen, all.length())))
                        .isPositive();
                output.wait(left);
            }
        }
    }

    /** Everything that came, escape sequences included. */
    String raw() {
        synchronized (output) {
            return output.toString(StandardCharsets.UTF_8);
        }
    }

    /** Waits for the end of the process; its exit code. */
    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).as("ended").isTrue();
        return process.exitValue();
    }

    private static String plain(String text) {
        // An unfinished sequence at the end is cut off, so that what was seen keeps its place.
        return text.replaceAll("\u001b\\[[0-9;?]*[ -/]*[@-~]|\u001b[()][A-Z0-9]|\u001b[^\\[()]|\r", "")
                .replaceAll("\u001b.*$", "");
    }

    /** Ends the process, if it hasn't ended; its terminal goes with it. */
    @Override
    public void close() {
        process.destroy();
        process.onExit().orTimeout(SECONDS, TimeUnit.SECONDS).join();
    }
}
