package org.hotrow.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.hotrow.allocator.BlockId;
import org.hotrow.allocator.HostMemory;
import org.hotrow.allocator.HostPageId;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.Step;
import org.hotrow.emulator.Emulator;
import org.hotrow.emulator.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A KV tensor on a device leaves the bytes that the one in this process's memory leaves. */
class KvTensorTest {
    private static final KvGeometry GEOMETRY = KvGeometry.of(5, List.of(0, 1, 3), 24, 72, 24);
    private static final int PAGES = 40;
    private static final int ORDERS = 8;

    static List<TestDevice> graphs() {
        return TestDevice.graphs();
    }

    static List<TestDevice> graphsWithAHostPool() {
        return TestDevice.graphs().stream().filter(TestDevice::readsHost).toList();
    }

    /** A tensor and its pool, with bytes of a seed. */
    private record Side(KvTensor tensor, Optional<HostPool> host) implements AutoCloseable {
        static Side of(KvTensor tensor, Optional<HostMemory> memory) {
            Side side = new Side(tensor, memory.map(m -> HostPool.open(m, GEOMETRY, PAGES)));
            Random random = new Random(7);
            MemorySegment slab = segment(GEOMETRY.slabBytes(0));
            fill(random, slab);
            tensor.write(0, 0, slab);
            side.host.ifPresent(pool -> {
                for (int page = 0; page <= PAGES; page++) {
                    fill(random, pool.page(new HostPageId(page)));
                }
            });
            return side;
        }

        HostPool pool() {
            return host.orElseThrow();
        }

        byte[] device() {
            MemorySegment slab = segment(GEOMETRY.slabBytes(0));
            tensor.read(0, 0, slab);
            return slab.toArray(ValueLayout.JAVA_BYTE);
        }

        byte[] onHost() {
            return pool().chunks().getFirst().toArray(ValueLayout.JAVA_BYTE);
        }

        void assertEqualTo(Side other) {
            assertThat(Arrays.mismatch(device(), other.device()))
                    .as("byte on the device")
                    .isEqualTo(-1);
            if (host.isPresent()) {
                assertThat(Arrays.mismatch(onHost(), other.onHost()))
                        .as("byte on the host")
                        .isEqualTo(-1);
            }
        }

        @Override
        public void close() {
            tensor.close();
            host.ifPresent(HostPool::close);
        }
    }

    private static MemorySegment segment(long bytes) {
        return MemorySegment.ofArray(new long[Math.toIntExact(bytes / Long.BYTES)]);
    }

    private static void fill(Random random, MemorySegment segment) {
        for (long i = 0; i < segment.byteSize() / Long.BYTES; i++) {
            segment.setAtIndex(ValueLayout.JAVA_LONG_UNALIGNED, i, random.nextLong());
        }
    }

    private static Side cpu(boolean host) {
        return Side.of(new KvSlabs(GEOMETRY), host ? Optional.of(HostMemory.plain()) : Optional.empty());
    }

    private static Side graphs(TestDevice device) {
        DeviceArrays arrays = device.arrays();
        return Side.of(
                new GraphKvTensor(arrays, GEOMETRY),
                device.readsHost() ? Optional.of(arrays.hostMemory()) : Optional.empty());
    }

    private static BlockId block(int n) {
        return new BlockId(n);
    }

    @ParameterizedTest
    @MethodSource("graphs")
    void readsAndWritesAnyPart(TestDevice device) {
        try (Side expected = cpu(false);
                Side actual = graphs(device)) {
            for (Side side : List.of(expected, actual)) {
                MemorySegment some = segment(5 * 24);
                fill(new Random(1), some);
                side.tensor.write(3, GEOMETRY.rowOffset(3, 7 * 64 + 63), some);
                side.tensor.poison(2, GEOMETRY.rowOffset(2, 64), 64 * 24);
            }
            assertThat(actual.device()).isEqualTo(expected.device());
            MemorySegment row = segment(24);
            actual.tensor.read(3, GEOMETRY.rowOffset(3, 7 * 64 + 64 - 1), row);
            assertThat(row.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(new Random(1).nextLong());
        }
    }

    /** A page that was copied goes on to the next block, and its source gets another: in whatever order groups run. */
    @ParameterizedTest
    @MethodSource("graphs")
    void copiesOfCopiesAreOfWhatWasCopied(TestDevice device) {
        List<Step.IndexCopy> copies = List.of(
                new Step.IndexCopy(block(3), block(4), 1),
                new Step.IndexCopy(block(4), block(5), 1),
                new Step.IndexCopy(block(6), block(3), 1),
                new Step.IndexCopy(block(7), block(5), 1));
        for (int order = 0; order < ORDERS; order++) {
            boolean emulated = device.name().startsWith("EMULATED");
            if (emulated) {
                Emulator.use(Mode.FAST.withSeed(order));
            }
            try (Side expected = cpu(device.readsHost());
                    Side actual = graphs(device)) {
                for (Side side : List.of(expected, actual)) {
                    side.tensor.copyKeys(copies);
                }
                actual.assertEqualTo(expected);
            } finally {
                if (emulated) {
                    Emulator.use(Mode.FAST);
                }
            }
        }
    }

    /** sglang#24274: more pages than a launch takes, of all layers, whose bytes differ, as those of the anchors do. */
    @ParameterizedTest
    @MethodSource("graphs")
    void copiesPagesAsTheCpuDoes(TestDevice device) {
        try (Side expected = cpu(device.readsHost());
                Side actual = graphs(device)) {
            List<Step.IndexCopy> copies =
                    List.of(new Step.IndexCopy(block(3), block(4), 0), new Step.IndexCopy(block(3), block(4), 2));
            for (Side side : List.of(expected, actual)) {
                side.tensor.copyKeys(copies);
                side.tensor.copyKeys(List.of());
            }
            actual.assertEqualTo(expected);
            if (!device.readsHost()) {
                return;
            }
            List<Step.IndexRestore> keys = IntStream.range(0, 3)
                    .mapToObj(i -> new Step.IndexRestore(new HostPageId(PAGES - i), block(5), i))
                    .toList();
            List<Step.RowRestore> rows = IntStream.range(0, 17)
                    .mapToObj(i -> new Step.RowRestore(new HostPageId(2 * i + 1), block(6 + i)))
                    .toList();
            List<Step.WriteBack> back = IntStream.range(0, 18)
                    .mapToObj(i -> new Step.WriteBack(i, i, block(23 - i), block(5), i % 4, new HostPageId(20 + i)))
                    .toList();
            for (Side side : List.of(expected, actual)) {
                side.tensor.restoreKeys(keys, side.pool());
                side.tensor.restoreRows(rows, side.pool());
            }
            actual.assertEqualTo(expected);
            for (Side side : List.of(expected, actual)) {
                side.tensor.writeBack(back, side.pool());
            }
            actual.assertEqualTo(expected);
        }
    }

    /** vllm#56699: mirrors, restores and imports in any order, until lists have been full, partly full and empty. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("graphsWithAHostPool")
    void staysEqualOverManyRandomCopies(TestDevice device) {
        Random random = new Random(3);
        try (Side expected = cpu(true);
                Side actual = graphs(device)) {
            for (int round = 0; round < 40; round++) {
                int kind = random.nextInt(4);
                int count = random.nextInt(20);
                long seed = random.nextLong();
                copy(expected, kind, count, new Random(seed));
                copy(actual, kind, count, new Random(seed));
            }
            actual.assertEqualTo(expected);
        }
    }

    private static void copy(Side side, int kind, int count, Random random) {
        List<Integer> blocks = shuffled(IntStream.range(8, 24), random);
        List<Integer> pages = shuffled(IntStream.rangeClosed(1, PAGES), random);
        int few = Math.min(count, blocks.size());
        switch (kind) {
            case 0 ->
                side.tensor.restoreRows(
                        IntStream.range(0, few)
                                .mapToObj(i -> new Step.RowRestore(page(pages, i), block(blocks.get(i))))
                                .toList(),
                        side.pool());
            case 1 ->
                side.tensor.restoreKeys(
                        IntStream.range(0, count)
                                .mapToObj(i -> new Step.IndexRestore(page(pages, i), block(7), i))
                                .toList(),
                        side.pool());
            case 2 ->
                side.tensor.writeBack(
                        IntStream.range(0, few)
                                .mapToObj(i ->
                                        new Step.WriteBack(i, i, block(blocks.get(i)), block(7), i, page(pages, i)))
                                .toList(),
                        side.pool());
            default -> {
                MemorySegment some = segment(3 * 24);
                fill(random, some);
                side.tensor.write(4, GEOMETRY.rowOffset(4, 64 * blocks.getFirst() + 5), some);
            }
        }
    }

    private static HostPageId page(List<Integer> pages, int i) {
        return new HostPageId(pages.get(i));
    }

    private static List<Integer> shuffled(IntStream numbers, Random random) {
        List<Integer> list = new ArrayList<>(numbers.boxed().toList());
        Collections.shuffle(list, random);
        return list;
    }

    /** vllm#56699: the first launch that fails is named, not some later call. */
    @Test
    void aLaunchThatFailsIsNamed() {
        assumeTrue(TestDevice.graphs().contains(TestDevice.EMULATED));
        try (Side side = graphs(TestDevice.EMULATED)) {
            List<Step.RowRestore> restores = List.of(new Step.RowRestore(new HostPageId(1), block(24)));
            assertThatThrownBy(() -> side.tensor.restoreRows(restores, side.pool()))
                    .isInstanceOf(EngineException.class)
                    .hasMessageContaining("window0restore.slab0")
                    .hasMessageContaining("Out of bound");
            // What failed is forgotten.
            Side expected = Side.of(new KvSlabs(GEOMETRY), Optional.of(HostMemory.plain()));
            for (Side each : List.of(side, expected)) {
                each.tensor.restoreRows(List.of(new Step.RowRestore(new HostPageId(2), block(3))), each.pool());
            }
            side.assertEqualTo(expected);
            expected.close();
        }
    }

    /** vllm#53781: pages of another size are refused before one byte is copied. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("graphsWithAHostPool")
    void refusesAPoolOfOtherPages(TestDevice device) {
        KvGeometry other = KvGeometry.of(5, List.of(0, 1, 3), 32, 72, 24);
        DeviceArrays arrays = device.arrays();
        try (KvTensor tensor = new GraphKvTensor(arrays, GEOMETRY);
                HostPool pool = HostPool.open(arrays.hostMemory(), other, PAGES)) {
            List<Step.RowRestore> restores = List.of(new Step.RowRestore(new HostPageId(1), block(2)));
            assertThatThrownBy(() -> tensor.restoreRows(restores, pool))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(String.valueOf(GEOMETRY.hostPageBytes()))
                    .hasMessageContaining(String.valueOf(other.hostPageBytes()));
        }
    }

    /** sglang#27563: what a kernel writes to a host page is in the host's memory, and nowhere on the device. */
    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("graphsWithAHostPool")
    void hostPagesAreMemoryOfTheHost(TestDevice device) {
        try (Side side = graphs(device)) {
            byte[] onDevice = side.device();
            MemorySegment page = side.pool().page(new HostPageId(9));
            page.fill((byte) 0);
            side.tensor.writeBack(
                    List.of(new Step.WriteBack(0, 0, block(3), block(5), 2, new HostPageId(9))), side.pool());
            MemorySegment row = segment(24);
            side.tensor.read(1, GEOMETRY.rowOffset(1, 3 * 64), row);
            assertThat(page.asSlice(64 * 24, 24).mismatch(row)).isEqualTo(-1);
            assertThat(side.device()).isEqualTo(onDevice);
        }
    }
}
