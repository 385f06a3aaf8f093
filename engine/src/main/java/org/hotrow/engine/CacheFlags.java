package org.hotrow.engine;

import java.math.BigDecimal;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.hotrow.allocator.KvPolicy;
import org.hotrow.kernels.Replacement;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Flags of the KV cache. None of them changes the text. */
final class CacheFlags {
    private static final int GIB_BITS = 30;
    private static final int MIB_BITS = 20;
    private static final String HOST_ROW = "host-row=";

    /** The words for policies. */
    enum Policy {
        hybrid(KvPolicy.HYBRID),
        offload(KvPolicy.OFFLOAD),
        recompute(KvPolicy.RECOMPUTE),
        resident(KvPolicy.RESIDENT);

        private final KvPolicy kv;

        Policy(KvPolicy kv) {
            this.kv = kv;
        }
    }

    /** The words for replacements. */
    enum HotReplacement {
        lru(Replacement.LRU),
        score(Replacement.SCORE);

        private final Replacement replacement;

        HotReplacement(Replacement replacement) {
            this.replacement = replacement;
        }
    }

    @Option(
            names = "--kv-blocks",
            paramLabel = "N",
            description =
                    "device blocks of the cache, 64 tokens each, the null block included (default: what the longest"
                            + " request takes, up to a quarter of the memory)")
    private @Nullable Integer blocks;

    @Option(
            names = "--kv-policy",
            defaultValue = "hybrid",
            paramLabel = "POLICY",
            description = "when blocks run out: ${COMPLETION-CANDIDATES} (default ${DEFAULT-VALUE})")
    private Policy policy = Policy.hybrid;

    @Option(
            names = "--device-buffer-size",
            paramLabel = "N",
            description = "hot rows of a request that has lost pages (default: the model's top-k times 2 + N of"
                    + " --speculative-tokens)")
    private @Nullable Integer hotRows;

    @Option(
            names = "--hot-replacement",
            defaultValue = "score",
            paramLabel = "ORDER",
            description = "which hot rows make room, ${COMPLETION-CANDIDATES}: the least recently used, or those of the"
                    + " lowest index scores (default ${DEFAULT-VALUE}); never changes the text")
    private HotReplacement replacement = HotReplacement.score;

    @Option(
            names = "--host-pool-gib",
            paramLabel = "X",
            description = "GiB of the host pool, decimals allowed (default: a page for each block)")
    private @Nullable BigDecimal hostGib;

    @Option(names = "--host-pool-mib", paramLabel = "N", description = "the same in MiB")
    private @Nullable Integer hostMib;

    @Option(
            names = "--fault",
            paramLabel = HOST_ROW + "POS",
            description = "damage the host's copy of this position's row: the text changes if it is read from there")
    private @Nullable String fault;

    @Option(
            names = "--speculative-tokens",
            defaultValue = "0",
            paramLabel = "N",
            description = "tokens that the model's MTP layer guesses ahead, to be verified in one step: 0 to 4 (default"
                    + " ${DEFAULT-VALUE}, off); never changes the text")
    private int drafts;

    /**
     * What the flags say.
     *
     * @throws RequestException if a value can't be, naming its flag
     */
    CacheOptions options() {
        if (blocks != null && blocks < 2) {
            throw new RequestException("--kv-blocks " + blocks + ": expected 2 or more, because block 0 is null");
        }
        if (hotRows != null && hotRows < 1) {
            throw new RequestException("--device-buffer-size " + hotRows + ": expected 1 or more");
        }
        if (drafts < 0 || drafts > CacheOptions.MOST_DRAFTS) {
            throw new RequestException(
                    "--speculative-tokens " + drafts + ": expected 0 to " + CacheOptions.MOST_DRAFTS);
        }
        return new CacheOptions(policy.kv, optional(blocks), optional(hotRows), hostBytes(), fault(), drafts)
                .with(replacement.replacement);
    }

    private static OptionalInt optional(@Nullable Integer value) {
        return value == null ? OptionalInt.empty() : OptionalInt.of(value);
    }

    private OptionalLong hostBytes() {
        if (hostGib != null && hostMib != null) {
            throw new RequestException("--host-pool-gib and --host-pool-mib: give one of them");
        }
        if (hostMib != null) {
            if (hostMib < 1) {
                throw new RequestException("--host-pool-mib " + hostMib + ": expected 1 or more");
            }
            return OptionalLong.of((long) hostMib << MIB_BITS);
        }
        if (hostGib == null) {
            return OptionalLong.empty();
        }
        BigDecimal most = BigDecimal.valueOf(Long.MAX_VALUE >> GIB_BITS);
        if (hostGib.signum() <= 0 || hostGib.compareTo(most) > 0) {
            throw new RequestException("--host-pool-gib " + hostGib + ": expected more than 0 and at most " + most);
        }
        return OptionalLong.of(
                hostGib.multiply(BigDecimal.valueOf(1L << GIB_BITS)).longValue());
    }

    private OptionalInt fault() {
        if (fault == null) {
            return OptionalInt.empty();
        }
        try {
            int position = Integer.parseInt(fault.startsWith(HOST_ROW) ? fault.substring(HOST_ROW.length()) : "");
            if (position >= 0) {
                return OptionalInt.of(position);
            }
        } catch (NumberFormatException ignored) {
            // Said below.
        }
        throw new RequestException("--fault " + fault + ": expected " + HOST_ROW + "POS with a position of 0 or more");
    }
}
