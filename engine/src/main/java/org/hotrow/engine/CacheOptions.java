package org.hotrow.engine;

import java.util.Locale;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hotrow.allocator.Block;
import org.hotrow.allocator.HostPool;
import org.hotrow.allocator.KvGeometry;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.Replacement;
import org.hotrow.modelloader.ModelConfig;

/**
 * What a user may say of the cache; what isn't said follows from the model, the longest request and the machine.
 *
 * @param policy what happens when blocks run out
 * @param blocks {@code --kv-blocks}: blocks of the device, the null block included; by default those in which as many
 *     of the longest request as have seats are resident, but at most a quarter of the machine's memory
 * @param hotRows {@code --device-buffer-size}: hot rows of a request, rounded up to 64; by default twice the top-k
 * @param hostBytes {@code --host-pool-gib} or {@code --host-pool-mib}: by default as many pages as there are blocks, or
 *     as requests of the longest length in all seats have if those are more, but at most a quarter of the machine's memory
 * @param fault {@code --fault host-row=POS}: the position whose row is damaged on the host
 * @param drafts {@code --speculative-tokens}: most tokens of a request that are guessed at once, 0 to
 *     {@link #MOST_DRAFTS}
 * @param replacement {@code --hot-replacement}: which hot rows make room
 */
public record CacheOptions(
        KvPolicy policy,
        OptionalInt blocks,
        OptionalInt hotRows,
        OptionalLong hostBytes,
        OptionalInt fault,
        int drafts,
        Replacement replacement) {
    /** The largest {@code --speculative-tokens}. */
    public static final int MOST_DRAFTS = 4;

    /** Those of the lowest index scores: they miss least, of the rules that know no future. */
    static final Replacement DEFAULT_REPLACEMENT = Replacement.SCORE;

    /** Nothing said. */
    public static final CacheOptions DEFAULT = of(KvPolicy.HYBRID);

    private static final int SHARE_OF_MEMORY = 4;

    /** So many that the rows of all pages are numbered by ints. */
    private static final int MOST_PAGES = Integer.MAX_VALUE / Block.TOKENS - 1;

    /** With the default replacement. */
    public CacheOptions(
            KvPolicy policy,
            OptionalInt blocks,
            OptionalInt hotRows,
            OptionalLong hostBytes,
            OptionalInt fault,
            int drafts) {
        this(policy, blocks, hotRows, hostBytes, fault, drafts, DEFAULT_REPLACEMENT);
    }

    /** The same with another policy. */
    public CacheOptions with(KvPolicy other) {
        return new CacheOptions(other, blocks, hotRows, hostBytes, fault, drafts, replacement);
    }

    /** The same with other hot rows. */
    public CacheOptions withHotRows(OptionalInt other) {
        return new CacheOptions(policy, blocks, other, hostBytes, fault, drafts, replacement);
    }

    /** The same with another number of drafts. */
    public CacheOptions withDrafts(int other) {
        return new CacheOptions(policy, blocks, hotRows, hostBytes, fault, other, replacement);
    }

    /** The same with another replacement. */
    public CacheOptions with(Replacement other) {
        return new CacheOptions(policy, blocks, hotRows, hostBytes, fault, drafts, other);
    }

    /** Nothing said but the policy. */
    public static CacheOptions of(KvPolicy policy) {
        return new CacheOptions(
                policy, OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty(), OptionalInt.empty(), 0);
    }

    /**
     * The cache of a model for requests of up to so many tokens.
     *
     * @param seats requests that run at once
     * @throws RequestException if a value can't be, naming its flag
     */
    CacheConfig resolve(ModelConfig config, CacheFormat format, int maxTokens, int seats) {
        int topK = config.indexer().topK();
        int hot = hotRows.orElse(CacheConfig.defaultHotRows(config, drafts));
        if (hot < topK) {
            throw new RequestException("--device-buffer-size " + hot + ": one token selects up to " + topK
                    + " rows (index_topk), expected at least that many");
        }
        int most = CacheConfig.roundUp(Math.max(config.contextLength(), CacheConfig.defaultHotRows(config, drafts)));
        if (hot > most) {
            throw new RequestException(
                    "--device-buffer-size " + hot + ": expected at most " + most + ", no request selects more rows");
        }
        KvGeometry geometry = geometry(config, format, maxTokens, seats);
        return new CacheConfig(
                policy,
                geometry.blocks(),
                CacheConfig.roundUp(hot),
                hostPages(geometry, maxTokens, seats),
                maxTokens,
                seats,
                fault.orElse(CacheConfig.NONE),
                drafts,
                replacement);
    }

    private KvGeometry geometry(ModelConfig config, CacheFormat format, int maxTokens, int seats) {
        if (blocks.isPresent()) {
            try {
                return CacheConfig.geometry(config, format, blocks.getAsInt(), drafts > 0);
            } catch (IllegalArgumentException e) {
                throw new RequestException("--kv-blocks " + blocks.getAsInt() + ": " + e.getMessage());
            }
        }
        KvGeometry smallest = CacheConfig.geometry(config, format, 2, drafts > 0);
        long room = Math.max(2, share() / (smallest.bytes() / 2));
        long most = Math.min(room, KvGeometry.mostBlocks(smallest.rowBytes()));
        if (Block.pages(maxTokens) < most) {
            int each = CacheConfig.residentBlocks(config, format, maxTokens, drafts > 0) - 1;
            most = Math.min(most, 1 + (long) each * seats);
        }
        return CacheConfig.geometry(config, format, (int) most, drafts > 0);
    }

    private int hostPages(KvGeometry geometry, int maxTokens, int seats) {
        if (!policy.usesHost()) {
            if (hostBytes.isPresent()) {
                throw new RequestException("--host-pool-gib, --host-pool-mib: the policy " + word(policy)
                        + " has no host pool; leave the flag away, or choose --kv-policy hybrid or offload");
            }
            return 0;
        }
        long pages = HostPool.pages(geometry, hostBytes.orElse(share()));
        if (pages < 1) {
            throw new RequestException("--host-pool-gib, --host-pool-mib: " + hostBytes.orElse(share())
                    + " bytes are less than two pages of " + geometry.hostPageBytes() + " bytes");
        }
        long wanted = Math.max(geometry.blocks(), (long) Block.pages(maxTokens) * seats);
        return (int) Math.min(pages, hostBytes.isPresent() ? MOST_PAGES : wanted);
    }

    private static long share() {
        return MachineMemory.bytes() / SHARE_OF_MEMORY;
    }

    /** The word for a policy on the command line. */
    private static String word(KvPolicy policy) {
        return policy.name().toLowerCase(Locale.ROOT);
    }
}
