package org.hotrow.modelloader;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.function.IntConsumer;
import org.hotrow.modelloader.BpeSection.Merge;

/**
 * Byte-pair encoding. A piece of text starts as one token per byte; then, again and again, the merge of the lowest rank
 * (of equal ones the leftmost) joins two neighbours, until none applies. A linked list and a queue of merges make that
 * O(n log n) in the length of the piece.
 */
final class Bpe {
    private static final int REMOVED = -1;

    private final Vocabulary vocabulary;
    private final MergeTable merges;
    private final boolean ignoreMerges;
    private final int[] byteToken = new int[256];

    /** Refuses a model that lacks the token of a byte or names a token that it lacks. */
    Bpe(Path file, Vocabulary vocabulary, List<Merge> merges, boolean ignoreMerges) {
        this.vocabulary = vocabulary;
        this.merges = table(file, vocabulary, merges);
        this.ignoreMerges = ignoreMerges;
        for (int b = 0; b < byteToken.length; b++) {
            String token = ByteAlphabet.write((byte) b);
            Integer id = vocabulary.modelId(token);
            if (id == null) {
                throw new ModelFormatException(
                        file,
                        "model.vocab",
                        "lacks " + ModelFormatException.quote(token) + String.format(", the token of byte 0x%02X", b));
            }
            byteToken[b] = id;
        }
    }

    private static MergeTable table(Path file, Vocabulary vocabulary, List<Merge> merges) {
        int[] left = new int[merges.size()];
        int[] right = new int[merges.size()];
        int[] joined = new int[merges.size()];
        for (int rank = 0; rank < joined.length; rank++) {
            Merge merge = merges.get(rank);
            left[rank] = id(file, vocabulary, rank, merge.left());
            right[rank] = id(file, vocabulary, rank, merge.right());
            joined[rank] = id(file, vocabulary, rank, merge.left() + merge.right());
        }
        return new MergeTable(left, right, joined);
    }

    private static int id(Path file, Vocabulary vocabulary, int rank, String token) {
        Integer id = vocabulary.modelId(token);
        if (id == null) {
            throw new ModelFormatException(
                    file,
                    "model.merges[" + rank + "]",
                    "needs the token " + ModelFormatException.quote(token) + ", which model.vocab lacks");
        }
        return id;
    }

    /** Hands the tokens of one piece of text to {@code ids}. */
    void encode(String piece, IntConsumer ids) {
        byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
        Integer whole = ignoreMerges ? vocabulary.modelId(ByteAlphabet.write(bytes)) : null;
        if (whole != null) {
            ids.accept(whole);
            return;
        }
        int[] tokens = new int[bytes.length];
        for (int i = 0; i < tokens.length; i++) {
            tokens[i] = byteToken[bytes[i] & 0xFF];
        }
        merge(tokens);
        for (int token : tokens) {
            if (token != REMOVED) {
                ids.accept(token);
            }
        }
    }

    /** Merges in place: the joined token takes the place of its left half, the right half becomes REMOVED. */
    private void merge(int[] tokens) {
        int end = tokens.length;
        int[] previous = new int[end];
        int[] next = new int[end];
        var queue = new MergeQueue(end);
        for (int i = 0; i < end; i++) {
            previous[i] = i - 1;
            next[i] = i + 1;
            if (i + 1 < end) {
                offer(queue, tokens, i, i + 1);
            }
        }
        while (!queue.isEmpty()) {
            long first = queue.poll();
            int left = MergeQueue.position(first);
            int right = next[left];
            boolean current = tokens[left] != REMOVED
                    && right < end
                    && merges.rank(tokens[left], tokens[right]) == MergeQueue.rank(first);
            if (!current) {
                continue;
            }
            tokens[left] = merges.joined(MergeQueue.rank(first));
            tokens[right] = REMOVED;
            next[left] = next[right];
            if (next[left] < end) {
                previous[next[left]] = left;
                offer(queue, tokens, left, next[left]);
            }
            if (previous[left] >= 0) {
                offer(queue, tokens, previous[left], left);
            }
        }
    }

    private void offer(MergeQueue queue, int[] tokens, int left, int right) {
        int rank = merges.rank(tokens[left], tokens[right]);
        if (rank != MergeTable.NONE) {
            queue.add(rank, left);
        }
    }
}
