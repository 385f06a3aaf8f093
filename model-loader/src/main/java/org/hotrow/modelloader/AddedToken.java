package org.hotrow.modelloader;

/**
 * A token that is recognised in the text itself, before all other processing.
 *
 * @param special whether it is markup rather than text, and may be hidden when decoding
 * @param normalized whether it is looked for after normalization (the others come first)
 */
record AddedToken(int id, String content, boolean special, boolean normalized) {
    /** Longest content, in UTF-16 units. */
    private static final int MAX_LENGTH = 256;

    /** Reads an entry of {@code added_tokens}. */
    static AddedToken read(JsonFields entry) {
        entry.allow("id", "content", "special", "normalized", "single_word", "lstrip", "rstrip");
        for (String name : new String[] {"single_word", "lstrip", "rstrip"}) {
            if (entry.flag(name)) {
                throw entry.refusal(name, "false: Hotrow takes added tokens literally");
            }
        }
        String content = entry.text("content");
        if (content.isEmpty() || content.length() > MAX_LENGTH) {
            throw entry.refusal("content", "1 to " + MAX_LENGTH + " characters");
        }
        int id = entry.whole("id", 0, Vocabulary.MAX_IDS - 1);
        return new AddedToken(id, content, entry.flag("special"), entry.flag("normalized"));
    }
}
