package org.hotrow.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.hotrow.allocator.Allocator;
import org.hotrow.allocator.AllocatorConfig;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.KvDtype;
import org.hotrow.kernels.Replacement;
import org.hotrow.modelloader.ModelConfig;
import org.hotrow.modelloader.ModelFormatException;

/**
 * How large a cache is, and what it does when it is full.
 *
 * @param policy what happens when blocks run out
 * @param blocks blocks of the device, the null block included
 * @param hotRows rows of a hot region, a multiple of 64 and no less than the model's top-k
 * @param hostPages pages of the host pool; 0 without one
 * @param maxTokens tokens of the longest request
 * @param seats requests that run at once
 * @param fault position whose row is damaged on the host, to see who reads it there; -1 for none
 * @param drafts most tokens of a request that are guessed at once; with 1 or more the MTP layer keeps rows and keys too
 * @param replacement which hot rows make room
 */
record CacheConfig(
        KvPolicy policy,
        int blocks,
        int hotRows,
        int hostPages,
        int maxTokens,
        int seats,
        int fault,
        int drafts,
        Replacement replacement) {
    /** No fault. */
    static final int NONE = -1;

    CacheConfig {
        if (fault < NONE) {
            throw new IllegalArgumentException("fault at position " + fault);
        }
    }

    /** A cache with the default replacement. */
    CacheConfig(
            KvPolicy policy, int blocks, int hotRows, int hostPages, int maxTokens, int seats, int fault, int drafts) {
        this(policy, blocks, hotRows, hostPages, maxTokens, seats, fault, drafts, CacheOptions.DEFAULT_REPLACEMENT);
    }

    /** A cache without drafts. */
    CacheConfig(KvPolicy policy, int blocks, int hotRows, int hostPages, int maxTokens, int seats, int fault) {
        this(policy, blocks, hotRows, hostPages, maxTokens, seats, fault, 0);
    }

    /** The same with drafts. */
    CacheConfig withDrafts(int other) {
        return new CacheConfig(policy, blocks, hotRows, hostPages, maxTokens, seats, fault, other, replacement);
    }

    /** The same with another replacement. */
    CacheConfig with(Replacement other) {
        return new CacheConfig(policy, blocks, hotRows, hostPages, maxTokens, seats, fault, drafts, other);
    }

    /** Whether the MTP layer drafts. */
    boolean drafting() {
        return drafts > 0;
    }

    /** Just what one request of so many tokens takes when all of it stays on the device. */
    static CacheConfig resident(ModelConfig config, CacheFormat format, int tokens) {
        int blocks = residentBlocks(config, format, tokens, false);
        return new CacheConfig(KvPolicy.RESIDENT, blocks, defaultHotRows(config, 0), 0, tokens, 1, NONE);
    }

    /** The bookkeeping of such a cache, without its memory. */
    Allocator allocator(KvGeometry geometry, int topK) {
        return new Allocator(new AllocatorConfig(
                geometry, policy, hotRows, topK, hostPages, seats, Block.pages(maxTokens), 0, drafting()));
    }

    /** Blocks of a hot region. */
    int hotBlocks() {
        return policy.losesPages() ? Block.pages(hotRows) : 0;
    }

    /** Two selections and one more for each draft, in whole blocks. */
    static int defaultHotRows(ModelConfig config, int drafts) {
        return roundUp(Math.multiplyExact(2 + drafts, config.indexer().topK()));
    }

    /** Whole blocks. */
    static int roundUp(int rows) {
        return Block.pages(rows) * Block.TOKENS;
    }

    /** Its pool, for a model. */
    KvGeometry geometry(ModelConfig config, CacheFormat format) {
        return geometry(config, format, blocks, drafting());
    }

    /** A pool of so many blocks for a model. */
    static KvGeometry geometry(ModelConfig config, CacheFormat format, int blocks) {
        return geometry(config, format, blocks, false);
    }

    /** A pool of so many blocks for a model, and for its MTP layer if that drafts: the layer behind the others. */
    static KvGeometry geometry(ModelConfig config, CacheFormat format, int blocks, boolean drafting) {
        List<Integer> anchors = new ArrayList<>(config.indexer().anchors());
        if (drafting) {
            anchors.add(config.layers());
        }
        return KvGeometry.of(
                config.layers() + (drafting ? 1 : 0),
                anchors,
                format.rowFormat(config).rowBytes(),
                format.keyFormat(config).pageBytes(),
                blocks);
    }

    /**
     * Blocks of a pool, null block included, in which a request of so many tokens is resident.
     *
     * @throws IllegalArgumentException if the rows or index pages of this model don't fit a block, or the pool a slab
     */
    static int residentBlocks(ModelConfig config, CacheFormat format, int tokens) {
        return residentBlocks(config, format, tokens, false);
    }

    /** The same, with rows of the MTP layer if that drafts. */
    static int residentBlocks(ModelConfig config, CacheFormat format, int tokens, boolean drafting) {
        int pages = Block.pages(tokens);
        int indexBlocks = 1;
        KvGeometry geometry = geometry(config, format, 1 + pages + indexBlocks, drafting);
        // A larger pool may need more slabs, and then an index block may take fewer tokens.
        while (geometry.indexBlocks(tokens) > indexBlocks) {
            indexBlocks = geometry.indexBlocks(tokens);
            geometry = geometry(config, format, 1 + pages + indexBlocks, drafting);
        }
        return 1 + pages + indexBlocks;
    }

    /** Why a model has no cache of a format, not even for one token; empty if it has. */
    static Optional<String> refusal(ModelConfig config, CacheFormat format) {
        try {
            residentBlocks(config, format, 1, false);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(Objects.requireNonNull(e.getMessage()));
        }
    }

    /**
     * Refuses drafts of a model that has nothing to draft with.
     *
     * @throws RequestException naming flag and field
     */
    static void requireDrafter(Model model, int drafts) {
        if (drafts > 0 && model.weights().mtp().isEmpty()) {
            throw new RequestException("--speculative-tokens " + drafts + ": this checkpoint has no MTP layer ("
                    + model.configFile() + ": num_nextn_predict_layers is "
                    + model.config().mtpLayers() + ", and no tensors of such a layer); leave the flag away");
        }
    }

    /** Refuses, before any weight is read, a format in which this model's rows or index pages have no place in a block. */
    static void requireLayout(Model model, CacheFormat format) {
        Optional<String> refusal = refusal(model.config(), format);
        if (refusal.isEmpty()) {
            return;
        }
        String last = refusal.get();
        for (KvDtype dtype : KvDtype.values()) {
            CacheFormat other = CacheFormat.of(dtype);
            Optional<String> otherRefusal = refusal(model.config(), other);
            if (otherRefusal.isEmpty()) {
                throw new RequestException("this model has no cache of " + format.flags() + ": " + refusal.get()
                        + "; pass " + other.flags());
            }
            last = otherRefusal.get();
        }
        throw new ModelFormatException(
                model.configFile(),
                "kv_lora_rank, qk_rope_head_dim, index_head_dim",
                "no cache has this shape, not even of fp32: " + last);
    }
}
