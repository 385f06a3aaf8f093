package org.hotrow.allocator;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.eclipse.collections.api.list.primitive.IntList;
import org.jspecify.annotations.Nullable;

/**
 * Name of a page's content: SHA-256 over the name of the page before it and its own 64 tokens. So it names the whole
 * prefix, and two requests with the same name have the same rows.
 */
record PageHash(long a, long b, long c, long d) {
    private static final int HASH_BYTES = 32;

    /**
     * @param before the page before, or null for the first page
     * @param page number of the page, whose 64 tokens are known
     */
    static PageHash of(@Nullable PageHash before, IntList tokens, int page) {
        ByteBuffer text = ByteBuffer.allocate(HASH_BYTES + Block.TOKENS * Integer.BYTES);
        if (before != null) {
            text.putLong(before.a).putLong(before.b).putLong(before.c).putLong(before.d);
        }
        text.position(HASH_BYTES);
        for (int i = page * Block.TOKENS; i < (page + 1) * Block.TOKENS; i++) {
            text.putInt(tokens.get(i));
        }
        ByteBuffer hash = ByteBuffer.wrap(sha256().digest(text.array()));
        return new PageHash(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
