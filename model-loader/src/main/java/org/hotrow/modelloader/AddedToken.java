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
    static AddedToken of(Component entry) {
        entry.allow("id", "content", "special", "normalized", "single_word", "lstrip", "rstrip");
        for (String name : new String[] {"single_word", "lstrip", "rstrip"}) {
            if (entry.flag(name)) {
                throw entry.refusal(name, "is true; Hotrow recognises added tokens literally, expected false");
            }
        }
        String content = entry.text("content");
        if (content.isEmpty()) {
            throw entry.refusal("content", "is empty, expected the text of the token");
        }
        if (content.length() > MAX_LENGTH) {
            throw entry.refusal("content", "is " + content.length() + " characters long, the limit is " + MAX_LENGTH);
        }
        int id = entry.number("id");
        if (id < 0 || id >= Vocabulary.MAX_IDS) {
            throw entry.refusal("id", "is " + id + ", expected 0 to " + (Vocabulary.MAX_IDS - 1));
        }
        return new AddedToken(id, content, entry.flag("special"), entry.flag("normalized"));
    }
}
