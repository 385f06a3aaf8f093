package org.hotrow.modelloader;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Tokens, their ids and their bytes. Ids may have gaps. A model token stands for the bytes that its characters spell in
 * the {@link ByteAlphabet}, an added token for the UTF-8 of its content.
 */
final class Vocabulary {
    /** Ids are below this, so that two ids and a merge rank fit a long. */
    static final int MAX_IDS = 1 << 21;

    private static final byte[] NO_BYTES = {};

    private final Map<String, Integer> model;
    private final Map<String, Integer> added = new HashMap<>();
    private final byte[][] bytes;
    private final BitSet used = new BitSet();
    private final BitSet special = new BitSet();

    /**
     * @param model ids by token, distinct and in {@code [0, MAX_IDS)}; kept, not copied
     * @param addedTokens each with an id of its own, or that of the model token of the same name
     */
    Vocabulary(Map<String, Integer> model, List<AddedToken> addedTokens) {
        this.model = model;
        int highest = -1;
        for (int id : model.values()) {
            highest = Math.max(highest, id);
        }
        for (AddedToken token : addedTokens) {
            highest = Math.max(highest, token.id());
        }
        bytes = new byte[highest + 1][];
        Arrays.fill(bytes, NO_BYTES);
        model.forEach((token, id) -> {
            used.set(id);
            bytes[id] = ByteAlphabet.read(token);
        });
        for (AddedToken token : addedTokens) {
            used.set(token.id());
            bytes[token.id()] = token.content().getBytes(StandardCharsets.UTF_8);
            special.set(token.id(), token.special());
            added.put(token.content(), token.id());
        }
    }

    /** The highest id + 1. */
    int size() {
        return bytes.length;
    }

    /** The id of a token as the file writes it; an added token comes before a model token. */
    OptionalInt id(String token) {
        Integer id = added.getOrDefault(token, model.get(token));
        return id == null ? OptionalInt.empty() : OptionalInt.of(id);
    }

    /** The id of a token of the model, null if there is none. */
    @Nullable
    Integer modelId(String token) {
        return model.get(token);
    }

    /** Whether some token has this id. */
    boolean has(int id) {
        return id >= 0 && used.get(id);
    }

    boolean isSpecial(int id) {
        return id >= 0 && special.get(id);
    }

    /** What a token stands for, none for an id without a token; not to be changed. */
    byte[] bytes(int id) {
        return has(id) ? bytes[id] : NO_BYTES;
    }
}
