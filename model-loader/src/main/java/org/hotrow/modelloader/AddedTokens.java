package org.hotrow.modelloader;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds added tokens in text: from left to right, at each place the longest one. Those that are looked for before
 * normalization win over the others, wherever they stand. A token is found only where all its characters are trusted.
 */
final class AddedTokens {
    /** A stretch of text: an added token, or plain text with id {@link #TEXT}. */
    record Span(int start, int end, int id) {
        static final int TEXT = -1;

        boolean isText() {
            return id == TEXT;
        }
    }

    /** A trie over UTF-16 units. */
    private static final class Node {
        private final Map<Character, Node> children = new HashMap<>();
        private int id = Span.TEXT;
    }

    private final Node beforeNormalization = new Node();
    private final Node afterNormalization = new Node();

    AddedTokens(List<AddedToken> tokens) {
        for (AddedToken token : tokens) {
            Node node = token.normalized() ? afterNormalization : beforeNormalization;
            for (char c : token.content().toCharArray()) {
                node = node.children.computeIfAbsent(c, unseen -> new Node());
            }
            node.id = token.id();
        }
    }

    /**
     * Cuts all of {@code text} into spans, none of them empty, in order.
     *
     * @param trusted the indices of its trusted UTF-16 units
     */
    List<Span> spans(String text, BitSet trusted) {
        List<Span> spans = new ArrayList<>();
        for (Span span : spans(beforeNormalization, text, trusted, 0, text.length())) {
            if (span.isText()) {
                spans.addAll(spans(afterNormalization, text, trusted, span.start(), span.end()));
            } else {
                spans.add(span);
            }
        }
        return spans;
    }

    private static List<Span> spans(Node root, String text, BitSet trusted, int from, int to) {
        List<Span> spans = new ArrayList<>();
        int done = from;
        int at = trusted.nextSetBit(from);
        while (at >= 0 && at < to) {
            Span token = longest(root, text, trusted, at, to);
            if (token.isText()) {
                at = trusted.nextSetBit(at + 1);
                continue;
            }
            if (done < at) {
                spans.add(new Span(done, at, Span.TEXT));
            }
            spans.add(token);
            done = token.end();
            at = trusted.nextSetBit(done);
        }
        if (done < to) {
            spans.add(new Span(done, to, Span.TEXT));
        }
        return spans;
    }

    /** The longest token that starts at {@code start}; a text span if there is none. */
    private static Span longest(Node root, String text, BitSet trusted, int start, int to) {
        Span longest = new Span(start, start, Span.TEXT);
        Node node = root;
        for (int i = start; i < to && trusted.get(i); i++) {
            node = node.children.get(text.charAt(i));
            if (node == null) {
                break;
            }
            if (node.id != Span.TEXT) {
                longest = new Span(start, i + 1, node.id);
            }
        }
        return longest;
    }
}
