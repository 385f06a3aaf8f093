package org.hotrow.allocator;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.hotrow.kernels.HotSlots;
import org.hotrow.kernels.Misses;
import org.hotrow.kernels.Replacement;
import org.hotrow.kernels.Resolve;

/**
 * A device and a host of tags in place of bytes: every row and every index key is one long that names its prefix, layer
 * and position. It does what a step says, keeps its own mirrors of the tables from the appended pages and edits alone,
 * and reads selections through the resolver of the kernels, which has to agree with the hot maps, by seat as on the
 * device.
 */
final class SimDevice {
    /** What a copy has read. */
    private static final class Bytes {
        private final long[][] rows;
        private final long[] keys;

        Bytes(long[][] rows, long[] keys) {
            this.rows = rows;
            this.keys = keys;
        }
    }

    static final int LAYERS = 2;
    private static final long POISON = 0xDEAD;
    /** The second unit has a layer of its own. */
    private static final int UNITS = 2;

    private final KvGeometry geometry;
    private final int hotRows;
    /** [block][layer][offset]. */
    private final long[][][] rows;
    /** [block][page][offset]. */
    private final long[][][] keys;

    private final long[][][] hostRows;
    private final long[][] hostKeys;
    private final Map<Integer, HotMap[]> hotMaps = new HashMap<>();
    private final HotSlots hotSlots;
    private final int maxPages;
    private final int[] blockTable;
    private final int[] hostTable;
    private final int[] hotTable;
    private final Resolve resolver;
    private final Misses misses = new Misses();
    private final Map<Residency, int[][]> mirrors = new HashMap<>();
    private final Map<Long, Bytes> reading = new HashMap<>();
    long rowsFromHost;
    long rowsFromHot;
    long pagesImportedToDevice;
    long pagesImportedToHost;

    SimDevice(AllocatorConfig config, Replacement replacement) {
        geometry = config.geometry();
        hotRows = Block.pages(config.hotRows()) * Block.TOKENS;
        rows = new long[geometry.blocks()][LAYERS][Block.TOKENS];
        keys = new long[geometry.blocks()][geometry.pagesPerIndexBlock()][Block.TOKENS];
        hostRows = new long[config.hostPages() + 1][LAYERS][Block.TOKENS];
        hostKeys = new long[config.hostPages() + 1][Block.TOKENS];
        hotSlots = new HotSlots(config.seats(), UNITS, hotRows, replacement);
        // Every page is in a block or on the host.
        maxPages = geometry.blocks() + config.hostPages();
        blockTable = new int[config.seats() * maxPages];
        hostTable = new int[blockTable.length];
        hotTable = new int[config.seats() * config.hotBlocks()];
        resolver = new Resolve(hotSlots, blockTable, hostTable, maxPages, hotTable, config.hotBlocks());
        for (int block = 0; block < geometry.blocks(); block++) {
            poison(block);
        }
        for (int page = 0; page < hostKeys.length; page++) {
            poisonHost(page);
        }
    }

    private void poison(int block) {
        Arrays.stream(rows[block]).forEach(layer -> Arrays.fill(layer, POISON));
        Arrays.stream(keys[block]).forEach(page -> Arrays.fill(page, POISON));
    }

    private void poisonHost(int page) {
        Arrays.stream(hostRows[page]).forEach(layer -> Arrays.fill(layer, POISON));
        Arrays.fill(hostKeys[page], POISON);
    }

    /** The copies into the device, the new rows and the selections of one step; {@code taken} are its fresh blocks. */
    void run(Step step, Iterable<Integer> taken, Expected expected, Random random) {
        taken.forEach(this::poison);
        step.writeBacks().forEach(copy -> poisonHost(copy.to().value()));
        step.imports().forEach(page -> page.to().ifPresent(host -> poisonHost(host.value())));
        for (Step.IndexCopy copy : step.indexCopies()) {
            keys[copy.to().value()][copy.page()] = keys[copy.from().value()][copy.page()].clone();
        }
        for (Step.IndexRestore restore : step.indexRestores()) {
            keys[restore.to().value()][restore.page()] = hostKeys[restore.from().value()].clone();
        }
        for (Step.RowRestore restore : step.rowRestores()) {
            for (int layer = 0; layer < LAYERS; layer++) {
                rows[restore.to().value()][layer] = hostRows[restore.from().value()][layer].clone();
            }
        }
        step.imports().forEach(page -> bring(page, expected));
        step.others().forEach(this::mirror);
        for (Step.Part part : step.parts()) {
            mirror(part);
            write(part, expected);
            select(part, expected, random);
        }
    }

    private void bring(Step.PageImport page, Expected expected) {
        require(page.to().isEmpty() || page.tokens() == Block.TOKENS, "part of a page on the host", page);
        for (int i = 0; i < page.tokens(); i++) {
            int position = page.page() * Block.TOKENS + i;
            int offset = i;
            for (int layer = 0; layer < LAYERS; layer++) {
                int l = layer;
                long row = expected.row(page.request(), layer, position);
                page.rows().ifPresent(block -> rows[block.value()][l][offset] = row);
                page.to().ifPresent(host -> hostRows[host.value()][l][offset] = row);
            }
            long key = expected.key(page.request(), position);
            keys[page.index().value()][page.indexPage()][i] = key;
            page.to().ifPresent(host -> hostKeys[host.value()][offset] = key);
        }
        pagesImportedToDevice += page.rows().isPresent() ? 1 : 0;
        pagesImportedToHost += page.to().isPresent() ? 1 : 0;
    }

    /** The next known token of a request, without a step. */
    void advance(KvRequest request, Expected expected, Random random) {
        Residency residency = request.residency().orElseThrow();
        Step.Part part = new Step.Part(
                request, residency, request.length(), 1, 0, false, residency.pages(), List.of(), List.of());
        write(part, expected);
        select(part, expected, random);
    }

    private void mirror(Step.Part part) {
        Residency r = part.residency();
        int[] blocks = new int[r.pages()];
        int[] hosts = new int[r.pages()];
        r.copyBlocks(blocks, 0);
        r.copyHostPages(hosts, 0);
        int[][] old = mirrors.getOrDefault(r, new int[2][0]);
        int[][] mirror = {Arrays.copyOf(old[0], r.pages()), Arrays.copyOf(old[1], r.pages())};
        for (int page = part.appendedFrom(); page < r.pages(); page++) {
            mirror[0][page] = blocks[page];
            mirror[1][page] = hosts[page];
        }
        for (Step.TableEdit edit : part.edits()) {
            mirror[0][edit.page()] = edit.block();
            mirror[1][edit.page()] = edit.hostPage();
        }
        require(Arrays.equals(mirror[0], blocks), "block table by edits", Arrays.toString(mirror[0]));
        require(Arrays.equals(mirror[1], hosts), "host table by edits", Arrays.toString(mirror[1]));
        mirrors.put(r, mirror);
        System.arraycopy(mirror[0], 0, blockTable, r.seat() * maxPages, r.pages());
        System.arraycopy(mirror[1], 0, hostTable, r.seat() * maxPages, r.pages());
        int hotBlocks = hotRows / Block.TOKENS;
        Arrays.fill(hotTable, r.seat() * hotBlocks, (r.seat() + 1) * hotBlocks, 0);
        r.copyHotBlocks(hotTable, r.seat() * hotBlocks);
        if (part.resetHot()) {
            hotSlots.reset(r.seat());
            HotMap[] maps = hotMaps.computeIfAbsent(r.seat(), seat -> new HotMap[] {hotMap(), hotMap()});
            Arrays.stream(maps).forEach(HotMap::reset);
        }
    }

    private HotMap hotMap() {
        boolean byScore = hotSlots.replacement() == Replacement.SCORE;
        return new HotMap(hotRows, byScore ? new FarthestBelow(hotRows, 0.5f) : new ExactLru(hotRows));
    }

    private void write(Step.Part part, Expected expected) {
        int[] index = new int[part.residency().indexBlocks()];
        part.residency().copyIndexBlocks(index, 0);
        for (int i = 0; i < part.tokens() + part.drafts(); i++) {
            int position = part.first() + i;
            RowId row = part.writeRow(i);
            boolean draft = i >= part.tokens();
            for (int layer = 0; layer < LAYERS; layer++) {
                rows[row.block().value()][layer][row.offset()] =
                        draft ? POISON : expected.row(part.request(), layer, position);
            }
            int block = index[position / geometry.indexTokensPerBlock()];
            keys[block][position % geometry.indexTokensPerBlock() / Block.TOKENS][position % Block.TOKENS] =
                    draft ? POISON : expected.key(part.request(), position);
        }
    }

    /** The rows of accepted drafts, whose tokens are known now. */
    void accept(Step.Part part, int accepted, Expected expected) {
        int[] index = new int[part.residency().indexBlocks()];
        part.residency().copyIndexBlocks(index, 0);
        for (int i = part.tokens(); i < part.tokens() + accepted; i++) {
            int position = part.first() + i;
            RowId row = part.writeRow(i);
            for (int layer = 0; layer < LAYERS; layer++) {
                rows[row.block().value()][layer][row.offset()] = expected.row(part.request(), layer, position);
            }
            int block = index[position / geometry.indexTokensPerBlock()];
            keys[block][position % geometry.indexTokensPerBlock() / Block.TOKENS][position % Block.TOKENS] =
                    expected.key(part.request(), position);
        }
    }

    /** Selects some positions before the step's last known token and reads them as attention would. */
    private void select(Step.Part part, Expected expected, Random random) {
        int[][] mirror = Objects.requireNonNull(mirrors.get(part.residency()));
        int end = part.first() + part.tokens();
        for (int unit = 0; unit < UNITS; unit++) {
            int count = Math.min(end, 1 + random.nextInt(hotRows));
            int[] positions = new int[count];
            int[] lost = new int[count];
            int lostCount = 0;
            int from = random.nextInt(end - count + 1);
            for (int i = 0; i < count; i++) {
                positions[i] = random.nextInt(4) == 0 ? random.nextInt(end) : from + i;
                if (mirror[0][positions[i] / Block.TOKENS] == 0) {
                    require(
                            positions[i] / Block.TOKENS < part.first() / Block.TOKENS - 1,
                            "tail page is lost",
                            positions[i]);
                    lost[lostCount++] = positions[i];
                }
            }
            int[] found = new int[count];
            misses.clear();
            float[] scores = scores(end, random);
            hotSlots.score(part.residency().seat(), unit, scores, 0, scores.length);
            resolver.resolve(part.residency().seat(), unit, positions, 0, count, found, 0, misses);
            compareWithHotMap(part.residency(), unit, lost, lostCount, positions, found, scores);
            rowsFromHost += misses.count();
            rowsFromHot += lostCount - misses.count();
            for (int m = 0; m < misses.count(); m++) {
                int hostRow = misses.hostRow(m);
                rows[misses.row(m) / Block.TOKENS][unit][misses.row(m) % Block.TOKENS] =
                        hostRows[hostRow / Block.TOKENS][unit][hostRow % Block.TOKENS];
            }
            for (int i = 0; i < count; i++) {
                long tag = rows[found[i] / Block.TOKENS][unit][found[i] % Block.TOKENS];
                require(tag == expected.row(part.request(), unit, positions[i]), "resolved row", positions[i]);
            }
        }
    }

    /** Of all positions; few different ones. Now and then there are none, and never with what needs none. */
    private float[] scores(int count, Random random) {
        boolean none = hotSlots.replacement() == Replacement.LRU || random.nextInt(5) == 0;
        float[] scores = new float[none ? 0 : count];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = random.nextInt(50) - 20;
        }
        return scores;
    }

    /** The hot map, another implementation, finds the same slots and misses. */
    private void compareWithHotMap(
            Residency r, int unit, int[] lost, int lostCount, int[] positions, int[] found, float[] scores) {
        require(lostCount == 0 || r.hotBlocks() * Block.TOKENS == hotRows, "hot region", r.hotBlocks());
        HotMap map = Objects.requireNonNull(hotMaps.get(r.seat()))[unit];
        int[] slots = new int[lostCount];
        if (scores.length == 0) {
            map.resolve(lost, lostCount, slots);
        } else {
            map.resolve(lost, lostCount, slots, scores);
        }
        map.check();
        require(lostCount == 0 || map.misses() == misses.count(), "misses", map.misses());
        int[][] mirror = Objects.requireNonNull(mirrors.get(r));
        int next = 0;
        for (int i = 0; i < positions.length; i++) {
            if (mirror[0][positions[i] / Block.TOKENS] == 0) {
                int slot = slots[next++];
                int block = hotTable[r.seat() * (hotRows / Block.TOKENS) + slot / Block.TOKENS];
                require(found[i] == block * Block.TOKENS + slot % Block.TOKENS, "slot", positions[i]);
            }
        }
    }

    /** The copy reads its source: what is there now goes to the host when it completes. */
    void enqueue(Step.WriteBack copy) {
        long[][] source = new long[LAYERS][];
        for (int layer = 0; layer < LAYERS; layer++) {
            source[layer] = rows[copy.rows().value()][layer].clone();
        }
        reading.put(copy.copy(), new Bytes(source, keys[copy.index().value()][copy.indexPage()].clone()));
    }

    void complete(Step.WriteBack copy, boolean wrongly) {
        Bytes bytes = Objects.requireNonNull(reading.remove(copy.copy()));
        hostRows[copy.to().value()] = bytes.rows;
        hostKeys[copy.to().value()] = bytes.keys;
        if (wrongly) {
            bytes.rows[LAYERS - 1][17]++;
        }
    }

    /** A step went wrong: what it brought to the device is worthless. */
    void spoil(Step step) {
        step.rowRestores().forEach(restore -> poison(restore.to().value()));
        step.indexRestores().forEach(restore -> poison(restore.to().value()));
        step.indexCopies().forEach(copy -> poison(copy.to().value()));
        step.imports().forEach(page -> {
            page.rows().ifPresent(block -> poison(block.value()));
            page.to().ifPresent(host -> poisonHost(host.value()));
            poison(page.index().value());
        });
        for (Step.Part part : step.parts()) {
            for (int i = 0; i < part.tokens(); i++) {
                for (long[] layer : rows[part.writeRow(i).block().value()]) {
                    layer[part.writeRow(i).offset()] = POISON;
                }
            }
        }
    }

    void fail(Step.WriteBack copy) {
        reading.remove(copy.copy());
    }

    /** Every row and key that a request has, wherever it is, is the expected one. */
    void verify(Residency r, Expected expected) {
        int[] blocks = new int[r.pages()];
        int[] hosts = new int[r.pages()];
        int[] index = new int[r.indexBlocks()];
        r.copyBlocks(blocks, 0);
        r.copyHostPages(hosts, 0);
        r.copyIndexBlocks(index, 0);
        for (int position = 0; position < r.length; position++) {
            int page = position / Block.TOKENS;
            require(blocks[page] != 0 || hosts[page] != 0, "position has no home", position);
            for (int layer = 0; layer < LAYERS; layer++) {
                if (blocks[page] != 0) {
                    requireRow(rows[blocks[page]], layer, position, r.request, expected, "row");
                }
                if (hosts[page] != 0) {
                    requireRow(hostRows[hosts[page]], layer, position, r.request, expected, "host row");
                }
            }
            long key = expected.key(r.request, position);
            int pageInBlock = position % geometry.indexTokensPerBlock() / Block.TOKENS;
            int block = index[position / geometry.indexTokensPerBlock()];
            require(keys[block][pageInBlock][position % Block.TOKENS] == key, "key", position);
            require(hosts[page] == 0 || hostKeys[hosts[page]][position % Block.TOKENS] == key, "host key", position);
        }
    }

    private static void requireRow(
            long[][] page, int layer, int position, KvRequest request, Expected expected, String what) {
        require(page[layer][position % Block.TOKENS] == expected.row(request, layer, position), what, position);
    }

    private static void require(boolean holds, String what, Object where) {
        if (!holds) {
            throw new AssertionError("wrong content: " + what + ", " + where);
        }
    }
}
