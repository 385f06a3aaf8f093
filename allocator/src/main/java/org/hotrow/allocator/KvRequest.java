package org.hotrow.allocator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.eclipse.collections.impl.list.mutable.primitive.IntArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A request for the cache: its tokens so far, and while it is seated its {@link Residency}. A request that made room
 * keeps its tokens and is admitted again later.
 */
public final class KvRequest {
    private final int maxLength;
    private final Optional<Import> imported;
    final IntArrayList tokens;
    private final List<PageHash> hashes = new ArrayList<>();

    @Nullable
    Residency residency;

    boolean closed;

    KvRequest(int[] tokens, int maxLength, Optional<Import> imported) {
        this.maxLength = maxLength;
        this.imported = imported;
        this.tokens = IntArrayList.newListWith(tokens);
    }

    /** Tokens that are known: the prompt and what was appended. */
    public int known() {
        return tokens.size();
    }

    /** The known token at a position. */
    public int token(int position) {
        return tokens.get(position);
    }

    /** Tokens whose rows are in the cache, from the first on; 0 while the request isn't seated. */
    public int length() {
        return residency == null ? 0 : residency.length;
    }

    /** Most tokens that may ever be in the cache. */
    public int maxLength() {
        return maxLength;
    }

    /** Rows after those of {@link #length}, to the end of its last page: no step has to take blocks for them. */
    public int reserved() {
        return residency == null ? 0 : Math.min(residency.pages() * Block.TOKENS, maxLength) - residency.length;
    }

    /** Where its first tokens have rows, besides the cache. */
    public Optional<Import> imported() {
        return imported;
    }

    /** Where its rows are; empty before it is admitted and after it made room. */
    public Optional<Residency> residency() {
        return Optional.ofNullable(residency);
    }

    /** Adds a sampled token. */
    public void append(int token) {
        if (closed) {
            throw new IllegalStateException("the request is closed");
        }
        tokens.add(token);
    }

    /** Adds sampled or accepted tokens. */
    public void append(int... more) {
        if (closed) {
            throw new IllegalStateException("the request is closed");
        }
        tokens.addAll(more);
    }

    /** Name of the content of a page of 64 known tokens. */
    PageHash hash(int page) {
        while (hashes.size() <= page) {
            int last = hashes.size();
            hashes.add(PageHash.of(last == 0 ? null : hashes.get(last - 1), tokens, last));
        }
        return hashes.get(page);
    }
}
