package org.hotrow.allocator;

/**
 * What happens when the device runs out of blocks. A policy is a few answers; the allocator asks them and knows no
 * policy by name.
 *
 * <pre>
 *             host pool  loses pages  returns rows  reserves all
 * hybrid      yes        yes          no            no
 * offload     yes        no           yes           no
 * recompute   no         no           no            no
 * resident    no         no           no            yes
 * </pre>
 */
public enum KvPolicy {
    /** A running request loses pages that the host holds, and reads single rows of them through its hot region. */
    HYBRID(true, true, false),
    /** Ordinary KV offload: a request that makes room loses all, and all of it returns before it decodes. */
    OFFLOAD(true, false, false),
    /** No host pool: a request that makes room starts again from its tokens. */
    RECOMPUTE(false, false, false),
    /** No host pool, and nobody makes room: a request waits until its full length fits. */
    RESIDENT(false, false, true);

    private final boolean hostPool;
    private final boolean losesPages;
    private final boolean reservesAll;

    KvPolicy(boolean hostPool, boolean losesPages, boolean reservesAll) {
        this.hostPool = hostPool;
        this.losesPages = losesPages;
        this.reservesAll = reservesAll;
    }

    /** Sealed pages are copied to the host and found there by later requests. */
    public boolean usesHost() {
        return hostPool;
    }

    /** A running request may lose pages that the host holds. */
    public boolean losesPages() {
        return losesPages;
    }

    /** All rows of a prefix that the host holds come back to the device before the request runs. */
    public boolean returnsRows() {
        return hostPool && !losesPages;
    }

    /** A request is admitted only when its full length fits, so that it never has to make room. */
    public boolean reservesAll() {
        return reservesAll;
    }
}
